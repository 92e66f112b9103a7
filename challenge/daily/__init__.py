"""What a day is: its calendar, its ranks, streaks and the result as text. Pure, without I/O."""

"""What a game is: dice, sheets, scoring, the log and the stream. Pure, without I/O."""

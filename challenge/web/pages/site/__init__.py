"""What belongs to no board: language and manners, legal pages, the shell, errors."""

"""What belongs to a player: the record, the data, the devices."""

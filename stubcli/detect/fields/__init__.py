"""What records of any format have in common: their fields, and the records that differ."""

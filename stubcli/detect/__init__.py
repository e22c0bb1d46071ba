"""What an output is, how much of it there is, and which lines decide. Bytes in, values out."""

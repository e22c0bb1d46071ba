"""What is printed in place of a large output, from values alone: no file is opened here."""

"""The tests of what is printed."""

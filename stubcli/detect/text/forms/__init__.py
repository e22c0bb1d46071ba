"""The forms of text: one file each, with what it reads, its facts and its words."""

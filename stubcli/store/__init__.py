"""What is on disk: sessions, numbered artifacts, their records. Knows no kind and no wording."""

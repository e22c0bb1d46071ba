"""The store in a directory of a POSIX file system: descriptors and dir_fd stay in here."""

"""XML, JUnit reports and HTML."""

"""What was collected and what leases protect: who still needs an artifact, and what goes."""

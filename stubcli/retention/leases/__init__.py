"""Who needs an artifact, durably: claims, their journal, and the owners that hold references."""

"""YAML: documents, streams of manifests, lists."""

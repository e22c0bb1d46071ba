"""Bytes as text: counting, decoding, cutting and making safe to show. Knows no artifact."""

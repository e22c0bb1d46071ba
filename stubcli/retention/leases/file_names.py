"""The names of the journal's files in a session.

retention-leases.jsonl        the records
retention-leases.jsonl.head   the anchor
retention-leases.jsonl.lock   what is locked, never removed; a byte in it: a record was acknowledged
retention-leases.jsonl.torn-N, .lost-N, .head.lost-N   what was moved aside, kept
retention-leases.jsonl.new-N  line ends that were about to be written back
"""

JOURNAL = "retention-leases.jsonl"
HEAD = JOURNAL + ".head"
LOCK = JOURNAL + ".lock"
# What stands in them, in words.
WHAT = "leases"

"""What a stream is and which of its lines decide: bytes in, typed facts out, words in one place.

Each folder that has a `claim` is a kind: claim (evidence on a sample), facts (typed values), read
(the whole stream → facts), words (facts → lines of the page). The rest serves all of them.
"""

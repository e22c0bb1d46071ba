"""One file an agent, named as the agent is: adding an agent is adding a file that holds a HOST.

A file knows what its agent reads and writes, and nothing of another agent.
"""

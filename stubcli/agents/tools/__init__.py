"""The tools that a harness may give to its model, one file a tool: what it takes, what it answers.

Arguments in as JSON, text out, below the threshold so that no answer is stubbed again. Text of
artifacts is made safe to show, and is never part of a description.
"""

"""Ptolemaeus: seven planets and a comet wander through the zodiac, and astronomers study them.

The rules are numbered T1 to T80 in the specification; messages and tests refer to them.
"""

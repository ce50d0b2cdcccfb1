"""Parse picture files byte by byte, without decoding a pixel.

One module per format: check that a file is complete, and strip its metadata. Where, with what and
by whom a photograph was taken is stored there; the picture's own data stay the same bit by bit.
"""

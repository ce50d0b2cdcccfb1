"""Picture files taken apart, byte by byte, before and without decoding a pixel.

A module a format: whether a file is whole, and the same picture without what it tells beside
itself. Where a photograph was taken, with what and by whom stands in such parts of a file; here
they are left out, and what the picture is made of stays as it is to the bit.
"""

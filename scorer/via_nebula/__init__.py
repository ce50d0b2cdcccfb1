"""Via Nebula: guilds clear a valley of mist, carry resources, and build in the ruins.

The rules are numbered V1 to V75 in the specification; messages and tests refer to them.
"""

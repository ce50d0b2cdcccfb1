"""Photographs of boards, path-traced with Blender: developer tooling, see README.md.

Nothing at run time imports this package, and only `blender*.py` need Blender (`pip install bpy`).
"""

"""Meshes of what lies on a game table. Lengths in Blender units, which are centimetres here."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import bmesh
import bpy

Point = tuple[float, float]
Mesh = Any


def rounded(outline: Sequence[Point], times: int = 2, cut: float = 0.12) -> list[Point]:
    """The outline with each corner cut off, `times` over."""
    points = list(outline)
    for _ in range(times):
        smoother: list[Point] = []
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
            for part in (cut, 1 - cut):
                smoother.append((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part))
        points, cut = smoother, 0.25
    return points


def box(width: float, depth: float, radius: float = 0.0) -> list[Point]:
    """A rectangle around the origin, with corners of a radius."""
    w, d = width / 2 - radius, depth / 2 - radius
    corners = ((w, d, 0), (-w, d, 90), (-w, -d, 180), (w, -d, 270))
    return [
        (
            x + radius * math.cos(math.radians(start + turn)),
            y + radius * math.sin(math.radians(start + turn)),
        )
        for x, y, start in corners
        for turn in ((0,) if radius == 0 else range(0, 91, 15))
    ]


def prism(outline: Sequence[Point], height: float) -> Mesh:
    """A solid on an outline, standing on z = 0."""
    mesh = bmesh.new()
    bottom = [mesh.verts.new((x, y, 0)) for x, y in outline]
    top = [mesh.verts.new((x, y, height)) for x, y in outline]
    mesh.faces.new(reversed(bottom))
    mesh.faces.new(top)
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        mesh.faces.new((bottom[i], bottom[j], top[j], top[i]))
    return _finished(mesh, "prism")


def folded(side: float, height: float) -> Mesh:
    """A box without a bottom, with the UVs of its net: the top, and a side at each of its edges."""
    mesh = bmesh.new()
    uv = mesh.loops.layers.uv.new()
    half, far = side / 2, side / 2 + height
    around = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    top = [mesh.verts.new((x * half, y * half, height)) for x, y in around]
    foot = [mesh.verts.new((x * half, y * half, 0)) for x, y in around]
    for i, out in (*enumerate(((0, 1), (-1, 0), (0, -1), (1, 0))), (0, None)):
        j = (i + 1) % 4
        corners = (foot[i], foot[j], top[j], top[i]) if out else top
        for loop in mesh.faces.new(corners).loops:
            x, y, z = loop.vert.co
            away = height - z
            flat = (x + out[0] * away, y + out[1] * away) if out else (x, y)
            loop[uv].uv = ((far + flat[0]) / (2 * far), (far + flat[1]) / (2 * far))
    return _finished(mesh, "folded")


def turned(profile: Sequence[Point], steps: int = 64) -> Mesh:
    """A profile of (radius, height) turned about the vertical, as on a lathe."""
    mesh = bmesh.new()
    rings = [
        [
            mesh.verts.new(
                (
                    radius * math.cos(2 * math.pi * i / steps),
                    radius * math.sin(2 * math.pi * i / steps),
                    z,
                )
            )
            for i in range(steps)
        ]
        for radius, z in profile
    ]
    for low, high in pairwise(rings):
        for i in range(steps):
            j = (i + 1) % steps
            mesh.faces.new((low[i], low[j], high[j], high[i]))
    mesh.faces.new(reversed(rings[0]))
    mesh.faces.new(rings[-1])
    return _finished(mesh, "turned")


def sheet(width: float, depth: float, height: Callable[[float, float], float], steps: int) -> Mesh:
    """A surface over (0..1, 0..1) from the top-left, `height(u, v)` up, with the picture's UVs."""
    mesh = bmesh.new()
    uv = mesh.loops.layers.uv.new()
    grid = [
        [
            mesh.verts.new(
                ((u / steps - 0.5) * width, (0.5 - v / steps) * depth, height(u / steps, v / steps))
            )
            for u in range(steps + 1)
        ]
        for v in range(steps + 1)
    ]
    for v in range(steps):
        for u in range(steps):
            corners = ((u, v), (u, v + 1), (u + 1, v + 1), (u + 1, v))
            face = mesh.faces.new([grid[b][a] for a, b in corners])
            for loop, (a, b) in zip(face.loops, corners, strict=True):
                loop[uv].uv = (a / steps, 1 - b / steps)
    return _finished(mesh, "sheet")


def put(
    mesh: Mesh,
    material: Any,
    at: tuple[float, float, float] = (0, 0, 0),
    turn: float = 0.0,
    bevel: float = 0.0,
    smooth: bool = True,
) -> Any:
    """Put a mesh into the scene, `turn` in degrees; its edges rounded by `bevel`."""
    thing = bpy.data.objects.new(mesh.name, mesh)
    bpy.context.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = (0, 0, math.radians(turn))
    if not mesh.materials:
        mesh.materials.append(material)
    for face in mesh.polygons:
        face.use_smooth = smooth
    if bevel:
        edges = thing.modifiers.new("bevel", "BEVEL")
        edges.width, edges.segments, edges.harden_normals = bevel, 4, True
        edges.limit_method, edges.angle_limit = "ANGLE", math.radians(50)
    return thing


def _finished(mesh: Any, name: str) -> Mesh:
    done = bpy.data.meshes.new(name)
    mesh.to_mesh(done)
    mesh.free()
    return done

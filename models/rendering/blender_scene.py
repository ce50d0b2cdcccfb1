"""A scene photographed by Blender's path tracer, Cycles, on the processor.

Blender units are centimetres: the light's falloff and the lens's blur keep handy numbers.
"""

import math
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from models.rendering import blender_materials as materials
from models.rendering import blender_shapes as shapes
from models.rendering.phone import Image
from models.rendering.scene import (
    AreaLight,
    Neighbour,
    PlacedPiece,
    Point,
    Prop,
    Scene,
    Sheet,
    TableTop,
    TokenSet,
    Viewpoint,
)

LAMP_WATTS = 5200.0  # of a lamp of power 1, with lengths in centimetres
THREADS = 2
NET_MM = 0.3
"""How thick the paper of a folded body is."""
_NEAR_CM = 0.03
"""What is hit so little before a piece's top is that top."""
AWAY: Point = (20_000.0, 20_000.0)
"""Where nothing is seen, in mm."""


@dataclass(frozen=True)
class Studio:
    """A built scene, ready to be photographed."""

    scene: Scene
    camera: Any
    spots: tuple[Any, ...]
    props: tuple[Any, ...] = ()
    tokens: tuple[Any, ...] = ()
    """The own board's, in the order of `scene.pieces`."""

    def show(self, pieces: Collection[PlacedPiece], props: Sequence[Point | None]) -> None:
        """Show only these of the own board's pieces; move props, or take them away."""
        for piece, token in zip(self.scene.pieces, self.tokens, strict=True):
            token.hide_render = piece not in pieces
        for prop, own, at in zip(self.scene.props, self.props, props, strict=True):
            x, y = _on_table(self.scene.sheet, at or AWAY)
            was = _on_table(self.scene.sheet, prop.at)
            own.location = (x - was[0], y - was[1], 0)
        bpy.context.scene.render.use_persistent_data = True

    def photograph(self, samples: int, within: Sequence[float] | None = None) -> Image:
        """Render it, (H, W, 3) uint8 BGR; `within` a box (left, top, right, bottom) in px alone."""
        render = bpy.context.scene.render
        if within is not None:
            (width, height), (left, top, right, bottom) = self.scene.size, within
            render.use_border = True
            render.border_min_x, render.border_max_x = left / width, right / width
            render.border_min_y, render.border_max_y = 1 - bottom / height, 1 - top / height
        render.image_settings.file_format = "PNG"
        bpy.context.scene.cycles.samples = samples
        with tempfile.TemporaryDirectory() as folder:
            render.filepath = str(Path(folder) / "rendering.png")
            bpy.ops.render.render(write_still=True)
            picture = cv2.imread(render.filepath)
        assert picture is not None
        return np.asarray(picture, np.uint8)

    def seen(self, number: int) -> float:
        """How much of the top of one of `scene.pieces` the camera sees, from 0 to 1."""
        graph, eye = bpy.context.evaluated_depsgraph_get(), self.camera.matrix_world.translation
        token, own = self.tokens[number], self.scene.tokens.of(self.scene.pieces[number].piece)
        shares = (0.41, 0.71, 0.91)  # of the way to the outline: in rings of the same area
        top = [Vector((x * s, y * s, own.height)) / 10 for x, y in own.outline() for s in shares]
        free = 0
        for at in top:
            way = token.matrix_world @ at - eye
            _, hit, *_ = bpy.context.scene.ray_cast(graph, eye, way.normalized())
            free += (hit - eye).length > way.length - _NEAR_CM
        return free / len(top)

    def pixel(self, at: Point, board: int = 0) -> Point:
        """Where a point of a board's printed side lies in the photograph, in px.

        Board 0 is the scene's own, the others are its neighbours.
        """
        width, height = self.scene.size
        lens: Viewpoint = self.scene.camera
        sheet = self.scene.neighbours[board - 1].sheet if board else self.scene.sheet
        place = Vector((*_on_table(sheet, at), sheet.height(at) / 10))
        seen = self.camera.matrix_world.inverted() @ self.spots[board].matrix_world @ place
        scale = lens.focal / 36 * max(width, height)
        return width / 2 + scale * seen.x / -seen.z, height / 2 - scale * seen.y / -seen.z


def build(scene: Scene, bounces: int = 3) -> Studio:
    """Set everything up, in an empty Blender file.

    With 0 `bounces` only light straight from the lamps and the sky is seen: twice as fast.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _table(scene.table)
    width, depth = scene.sheet.size
    own = Neighbour(scene.sheet, scene.pieces, (width / 2, depth / 2), 0)
    meshes: dict[str, Any] = {}
    laid = [_lay(scene, board, meshes) for board in (own, *scene.neighbours)]
    props = tuple(_prop(scene, prop) for prop in scene.props)
    for lamp in scene.lamps:
        _lamp(lamp, scene.sheet)
    _sky(scene)
    camera = _camera(scene.camera, scene.sheet)
    _renderer(scene, bounces)
    bpy.context.view_layer.update()
    return Studio(scene, camera, tuple(spot for spot, _ in laid), props, laid[0][1])


def _on_table(sheet: Sheet, at: Point) -> Point:
    return (at[0] - sheet.size[0] / 2) / 10, (sheet.size[1] / 2 - at[1]) / 10


def _table(table: TableTop) -> None:
    turn = math.radians(table.turn)
    if table.kind == "wood":
        surface = materials.planks(table.dark, table.light, turn, table.roughness)
    elif table.kind == "cloth":
        surface = materials.cloth(table.dark, table.light, turn)
    else:
        surface = materials.speckled(table.dark, table.light, table.roughness)
    shapes.put(shapes.sheet(400, 400, lambda u, v: 0.0, 1), surface)


def _prop(scene: Scene, prop: Prop) -> Any:
    """Make a prop; what is returned, moved, carries all its parts along."""
    before = {*bpy.data.objects}
    _PROPS[prop.kind](prop, _on_table(scene.sheet, prop.at))
    parts = {*bpy.data.objects} - before
    spot = bpy.data.objects.new("prop", None)
    bpy.context.collection.objects.link(spot)
    for part in parts:
        part.parent = spot
    return spot


def _lay(scene: Scene, board: Neighbour, meshes: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """Lay a board and what is on it; the first, turned and moved, carries the tokens along."""
    spot = bpy.data.objects.new("spot", None)
    bpy.context.collection.objects.link(spot)
    spot.location = (*_on_table(scene.sheet, board.at), 0)
    spot.rotation_euler = (0, 0, math.radians(board.turn))
    tokens = tuple(_tokens(scene.tokens, board, meshes))
    for thing in (_board(board.sheet), *tokens):
        thing.parent = spot
    return spot, tokens


def _board(sheet: Sheet) -> Any:
    across, down = (side + 2 * more for side, more in zip(sheet.size, sheet.margin, strict=True))

    def height(u: float, v: float) -> float:
        return sheet.height((u * across - sheet.margin[0], v * down - sheet.margin[1])) / 10

    printed = shapes.put(
        shapes.sheet(across / 10, down / 10, height, 32),
        materials.printed(sheet.picture, sheet.roughness),
    )
    printed.data.materials.append(materials.plain("cardboard", "#b9b1a3", roughness=0.9))
    _thicken(printed, sheet.thickness * 0.97)
    return printed


def _thicken(thing: Any, by: float) -> None:
    """Give a printed surface a back of its second material, `by` mm behind it."""
    back = thing.modifiers.new("back", "SOLIDIFY")
    back.thickness, back.offset = by / 10, -1
    back.material_offset = back.material_offset_rim = 1


def _tokens(tokens: TokenSet, board: Neighbour, meshes: dict[str, Any]) -> Iterator[Any]:
    for token in board.pieces:
        own = tokens.of(token.piece)
        bevel = 0.0 if own.lathe else min(0.07, own.height / 40)
        mesh = meshes.get(token.piece)
        if mesh is None:
            mesh = meshes[token.piece] = _token(own)
            mesh.materials.append(_surface(own, token.piece))
            mesh.materials.append(materials.plain("paper", "#f4f1ea", roughness=0.9))
        place = Vector(_on_table(board.sheet, token.at)).to_3d()
        place.z = (_ground(board.sheet, token.at) + token.up) / 10
        thing = shapes.put(mesh, None, place, token.turn, bevel)
        if own.folded:
            _thicken(thing, NET_MM)
        if token.lean:
            _tip(thing, own, token.lean)
        yield thing


def _tip(thing: Any, box: TokenSet, lean: float) -> None:
    """Tip a box over its edge at the right, its middle above where it was."""
    lean, turn = math.radians(lean), thing.rotation_euler.z
    middle, foot = box.height / 20 * math.sin(lean), box.outline()[0][0] / 10
    thing.rotation_euler.y = lean
    thing.location += Vector((-middle * math.cos(turn), -middle * math.sin(turn), 0))
    thing.location.z += foot * math.sin(lean)


def _surface(tokens: TokenSet, piece: str) -> Any:
    if piece in tokens.faces:
        return materials.printed(tokens.faces[piece], roughness=0.8, whole=not tokens.folded)
    return materials.token(tokens.paints[piece], tokens.material)


def _ground(sheet: Sheet, at: Point) -> float:
    """What a prop at that point lies on: the board, or the table beside it."""
    inside = all(
        -more <= x <= side + more
        for x, side, more in zip(at, sheet.size, sheet.margin, strict=True)
    )
    return sheet.height(at) if inside else 0.0


def _token(tokens: TokenSet) -> Any:
    if tokens.folded and tokens.bar:
        return shapes.folded(tokens.bar[0] / 10, tokens.height / 10)
    if tokens.lathe:
        return shapes.turned([(r / 10, z / 10) for r, z in tokens.lathe], 40)
    outline = [(x / 10, y / 10) for x, y in tokens.outline()]
    return shapes.prism(outline if tokens.bar else shapes.rounded(outline), tokens.height / 10)


def _mug(prop: Prop, at: Point) -> None:
    glaze = materials.plain("glaze", prop.colour, roughness=0.25, coat=0.5, coat_roughness=0.05)
    wall = [(3.3, 0), (3.75, 0.3), (4.0, 1.2), (4.1, 8.6), (4.05, 8.85), (3.9, 8.9), (3.75, 8.8)]
    inside = [(3.7, 7.0), (3.6, 1.0), (3.0, 0.5)]
    shapes.put(shapes.turned(wall + inside), glaze, (*at, 0), bevel=0.0)
    tea = materials.plain("tea", "#3a1606", roughness=0.03, coat=1.0)
    shapes.put(shapes.turned([(3.66, 6.9), (3.67, 7.0)]), tea, (*at, 0))
    turn = math.radians(prop.turn)
    bpy.ops.mesh.primitive_torus_add(
        major_radius=2.5,
        minor_radius=0.45,
        location=(at[0] + 4.3 * math.cos(turn), at[1] + 4.3 * math.sin(turn), 4.8),
        rotation=(math.pi / 2, 0, turn),
    )
    handle = bpy.context.object
    handle.data.materials.append(glaze)
    for face in handle.data.polygons:
        face.use_smooth = True


def _card(prop: Prop, at: Point) -> None:
    """A face-down card: a pale border, the back's colour, a frame and a star in gold."""
    layers = (
        (shapes.box(6.3, 8.8, 0.35), 0.035, "#ece7da"),
        (shapes.box(5.7, 8.2, 0.25), 0.038, prop.colour),
        (shapes.box(5.2, 7.7, 0.2), 0.040, "#c9a24a"),
        (shapes.box(5.1, 7.6, 0.18), 0.042, prop.colour),
        ([(x / 10, y / 10) for x, y in TokenSet(8, 0.42, radius=17).outline()], 0.044, "#c9a24a"),
        ([(x / 10, y / 10) for x, y in TokenSet(0, radius=6).outline()], 0.046, prop.colour),
    )
    for outline, height, colour in layers:
        ink = materials.plain("card", colour, roughness=0.45, specular=0.3)
        shapes.put(shapes.prism(outline, height), ink, (*at, prop.up / 10), prop.turn, smooth=False)


def _box(prop: Prop, at: Point) -> None:
    card = materials.plain("box", prop.colour, roughness=0.5)
    shapes.put(shapes.prism(shapes.box(11, 16), 3.6), card, (*at, 0), prop.turn, bevel=0.08)


def _pencil(prop: Prop, at: Point) -> None:
    wood = materials.plain("bare wood", "#d9b07a", roughness=0.6)
    lead = materials.plain("lead", "#2a2a2e", roughness=0.4)
    paint = materials.plain("pencil", prop.colour, roughness=0.3, coat=0.4)
    parts = (
        ([(0.36, 0), (0.36, 14.5)], 6, paint),
        ([(0.34, 14.5), (0.1, 16.1)], 24, wood),
        ([(0.1, 16.1), (0.01, 16.5)], 24, lead),
    )
    for profile, steps, material in parts:
        part = shapes.put(shapes.turned(profile, steps), material, (*at, 0.32), smooth=steps > 6)
        part.rotation_euler = (0, math.pi / 2, math.radians(prop.turn))


def _arm(prop: Prop, at: Point) -> None:
    """Fingertips there, a hand and an arm behind them that rises towards `turn`."""
    skin = materials.plain("skin", prop.colour, roughness=0.55)
    sleeve = materials.plain("sleeve", "#3b4a63", roughness=0.9)
    finger = [(0.3, 0), (0.7, 0.3), (0.8, 1), (0.9, 7), (0.6, 8)]
    limbs = [(finger, aside, 1.0, skin) for aside in (-2.1, -0.7, 0.7, 2.1)]
    limbs += [
        ([(1.5, 6), (3.8, 7.5), (4.2, 10), (3.6, 14), (2.6, 16)], 0, 0.45, skin),
        ([(2.6, 14), (2.8, 18), (3.2, 24)], 0, 0.8, skin),
        ([(3.9, 22), (4.6, 60)], 0, 1.0, sleeve),
    ]
    turn, rise = math.radians(prop.turn), math.radians(18)
    for profile, aside, flat, material in limbs:
        x = at[0] - aside * math.sin(turn)
        y = at[1] + aside * math.cos(turn)
        limb = shapes.put(shapes.turned(profile, 32), material, (x, y, 1.6))
        limb.rotation_euler = (0, math.pi / 2 - rise, turn)
        limb.scale = (flat, 1, 1)


_PROPS = {"mug": _mug, "card": _card, "box": _box, "pencil": _pencil, "arm": _arm}


def _lamp(lamp: AreaLight, sheet: Sheet) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size = "DISK", lamp.size / 10
    light.energy, light.color = lamp.power * LAMP_WATTS, materials.linear(lamp.colour)[:3]
    placed = bpy.data.objects.new("lamp", light)
    bpy.context.collection.objects.link(placed)
    place = Vector((*_on_table(sheet, lamp.at), lamp.height / 10))
    placed.matrix_world = (
        Matrix.Translation(place) @ (-place).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    )


def _sky(scene: Scene) -> None:
    """The room around: darker towards the floor, so that gloss has something to mirror."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    where = tree.nodes.new("ShaderNodeTexCoord")
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    red, green, blue, _ = materials.linear(scene.sky)
    for element, position, level in zip(
        ramp.color_ramp.elements, (0.0, 0.9), (0.35, 1.0), strict=True
    ):
        element.position, element.color = position, (red * level, green * level, blue * level, 1)
    background = tree.nodes["Background"]
    background.inputs["Strength"].default_value = scene.sky_power
    tree.links.new(where.outputs["Generated"], parts.inputs[0])
    tree.links.new(parts.outputs["Z"], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], background.inputs["Color"])


def _camera(camera: Viewpoint, sheet: Sheet) -> Any:
    lens = bpy.data.cameras.new("camera")
    lens.lens, lens.sensor_width, lens.sensor_fit = camera.focal, 36, "AUTO"
    lens.clip_start, lens.clip_end = 1, 1000
    lens.dof.use_dof = camera.aperture > 0
    lens.dof.focus_distance = camera.distance / 10
    if camera.aperture > 0:
        lens.dof.aperture_fstop = camera.focal * 1e-3 / (2 * camera.aperture / 10)
    placed = bpy.data.objects.new("camera", lens)
    bpy.context.collection.objects.link(placed)
    azimuth, elevation = math.radians(camera.azimuth - 90), math.radians(camera.elevation)
    away = Vector(
        (
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        )
    )
    place = Vector((*_on_table(sheet, camera.at), 0)) + away * (camera.distance / 10)
    looking = (-away).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    placed.matrix_world = (
        Matrix.Translation(place) @ looking @ Matrix.Rotation(math.radians(camera.roll), 4, "Z")
    )
    bpy.context.scene.camera = placed
    return placed


def _renderer(scene: Scene, bounces: int) -> None:
    stage = bpy.context.scene
    stage.render.engine = "CYCLES"
    stage.render.resolution_x, stage.render.resolution_y = scene.size
    stage.render.resolution_percentage = 100
    stage.render.threads_mode, stage.render.threads = "FIXED", THREADS
    stage.view_settings.view_transform = "AgX"
    stage.view_settings.look = "AgX - Medium High Contrast"
    stage.view_settings.exposure = scene.exposure
    cycles = stage.cycles
    cycles.device = "CPU"
    cycles.max_bounces = bounces
    cycles.diffuse_bounces = cycles.glossy_bounces = min(1, bounces)
    cycles.use_light_tree = False
    stage.world.cycles.sampling_method = "NONE"  # an even room needs no guiding
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.03
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = "FAST"

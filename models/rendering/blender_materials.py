"""Blender materials made of nodes: printed board, painted tokens, table tops, crockery."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

Node = Any


def linear(colour: str) -> tuple[float, float, float, float]:
    """The scene-linear RGBA of an sRGB #rrggbb."""
    channels = (level / 255 for level in bytes.fromhex(colour[1:]))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return red, green, blue, 1.0


class Nodes:
    """A new material and the handful of node recipes that all of ours are made of."""

    def __init__(self, name: str, **surface: float) -> None:
        """Start with one surface; `surface` names its inputs, such as `coat_weight=0.3`."""
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]
        for key, value in surface.items():
            self.surface.inputs[_INPUTS[key]].default_value = value

    def add(self, kind: str, values: Mapping[Any, Any] | None = None, **properties: Any) -> Node:
        """Add a node; a value that is an output of another node becomes a link to it.

        ``values`` are its inputs by name or by number.
        """
        node = self.tree.nodes.new(kind)
        for key, value in properties.items():
            setattr(node, key, value)
        for key, value in (values or {}).items():
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[key])
            else:
                node.inputs[key].default_value = value
        return node

    def stretched(self, scale: Sequence[float], turn: float = 0.0) -> Node:
        """Coordinates scaled along each axis, after a turn in radians."""
        where = self.add("ShaderNodeTexCoord").outputs["Object"]
        turned = self.add("ShaderNodeMapping", {"Vector": where, "Rotation": (0, 0, turn)})
        return self.add(
            "ShaderNodeMapping", {"Vector": turned.outputs[0], "Scale": tuple(scale)}
        ).outputs[0]

    def noise(self, where: Node, scale: float, detail: float = 4, distortion: float = 0.0) -> Node:
        """Fractal noise from 0 to 1."""
        values = {"Vector": where, "Scale": scale, "Detail": detail, "Distortion": distortion}
        return self.add("ShaderNodeTexNoise", values).outputs["Fac"]

    def ramp(self, factor: Node, stops: Sequence[tuple[float, str]]) -> Node:
        node = self.add("ShaderNodeValToRGB", {"Fac": factor})
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position, element.color = position, linear(colour)
        return node.outputs["Color"]

    def mix(self, a: Any, b: Any, factor: Any, blend: str = "MIX") -> Node:
        node = self.add("ShaderNodeMix", data_type="RGBA", blend_type=blend)
        for socket, value in ((0, factor), (6, a), (7, b)):
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[socket])
            else:
                node.inputs[socket].default_value = value
        return node.outputs[2]

    def paint(self, colour: Any) -> None:
        """Make a colour (a linear RGBA or a node's output) the surface's own."""
        self.put("Base Color", colour)

    def put(self, key: str, value: Any) -> None:
        """Set an input of the surface, or link an output to it."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, self.surface.inputs[key])
        else:
            self.surface.inputs[key].default_value = value

    def emboss(self, height: Node, strength: float, distance: float = 0.02) -> None:
        """Make the surface uneven by a height."""
        values = {"Height": height, "Strength": strength, "Distance": distance}
        self.put("Normal", self.add("ShaderNodeBump", values).outputs[0])


_INPUTS = {
    "roughness": "Roughness",
    "coat": "Coat Weight",
    "coat_roughness": "Coat Roughness",
    "specular": "Specular IOR Level",
    "subsurface": "Subsurface Weight",
    "alpha": "Alpha",
    "metallic": "Metallic",
    "sheen": "Sheen Weight",
}


def plain(name: str, colour: str, **surface: float) -> Any:
    nodes = Nodes(name, **surface)
    nodes.paint(linear(colour))
    return nodes.material


def printed(picture: Path, roughness: float, whole: bool = False) -> Any:
    """A picture on varnished cardboard, with the varnish's faint unevenness.

    Where the mesh has no UVs of its own the picture covers the `whole` of it, seen from above.
    """
    nodes = Nodes("printed", roughness=roughness, specular=0.35)
    where = nodes.add("ShaderNodeTexCoord").outputs["Generated" if whole else "UV"]
    loaded = bpy.data.images.load(str(picture.resolve()), check_existing=True)
    image = nodes.add("ShaderNodeTexImage", {"Vector": where}, image=loaded)
    image.extension = "EXTEND"
    nodes.paint(image.outputs["Color"])
    fine = nodes.noise(nodes.stretched((1, 1, 1)), 14, 2)
    nodes.emboss(fine, 0.12, 0.01)
    return nodes.material


def token(colour: str, material: str) -> Any:
    """Painted wood with its grain showing, glossy plastic, or clear acrylic."""
    if material == "plastic":
        return plain("plastic", colour, roughness=0.22, coat=0.25, coat_roughness=0.08)
    if material == "acrylic":
        return plain("acrylic", colour, roughness=0.06, coat=0.6, alpha=0.78)
    nodes = Nodes("wood", roughness=0.42, coat=0.18, coat_roughness=0.25)
    # Each token is cut from another part of the board: the grain moves with the object's number.
    number = nodes.add("ShaderNodeObjectInfo").outputs["Random"]
    where = nodes.add(
        "ShaderNodeVectorMath",
        {
            0: nodes.stretched((1.2, 9, 9)),
            1: nodes.add("ShaderNodeCombineXYZ", {0: number}).outputs[0],
        },
        operation="ADD",
    ).outputs[0]
    grain = nodes.noise(where, 2.4, 5, 0.4)
    worn = nodes.ramp(grain, ((0.3, "#d9d9d9"), (0.62, "#ffffff")))
    nodes.paint(nodes.mix(linear(colour), worn, 1.0, "MULTIPLY"))
    nodes.emboss(grain, 0.25, 0.01)
    return nodes.material


def planks(dark: str, light: str, turn: float, roughness: float) -> Any:
    """A table top of planks 130 mm wide: rings, fine pores, a tint of its own for each plank."""
    nodes = Nodes("planks", coat=0.12, coat_roughness=0.3, specular=0.4)
    flat = nodes.stretched((1, 1, 1), turn)
    plank = nodes.add(
        "ShaderNodeTexBrick",
        {
            "Vector": flat,
            "Color1": (0, 0, 0, 1),
            "Color2": (1, 1, 1, 1),
            "Mortar": (0.5, 0.5, 0.5, 1),
            "Scale": 1.0,
            "Mortar Size": 0.035,
            "Mortar Smooth": 0.4,
            "Brick Width": 140.0,
            "Row Height": 13.0,
        },
        offset=0.37,
    )
    moved = nodes.add(
        "ShaderNodeVectorMath",
        {
            0: flat,
            1: nodes.add(
                "ShaderNodeVectorMath",
                {0: plank.outputs["Color"], 1: (90.0, 40.0, 7.0)},
                operation="MULTIPLY",
            ).outputs[0],
        },
        operation="ADD",
    ).outputs[0]

    def along(x: float, y: float) -> Node:
        return nodes.add("ShaderNodeMapping", {"Vector": moved, "Scale": (x, y, 1)}).outputs[0]

    rings = nodes.noise(along(0.018, 0.28), 1.0, 3, 1.6)
    waves = nodes.add("ShaderNodeMath", {0: rings, 1: 26.0}, operation="MULTIPLY").outputs[0]
    bands = nodes.add("ShaderNodeMath", {0: waves}, operation="SINE").outputs[0]
    banded = nodes.add(
        "ShaderNodeMapRange", {"Value": bands, "From Min": -1.0, "From Max": 1.0}
    ).outputs[0]
    figure = nodes.ramp(banded, ((0.0, dark), (1.0, light)))
    broad = nodes.ramp(nodes.noise(along(0.03, 0.5), 1.0, 5, 0.8), ((0.3, dark), (0.7, light)))
    pores = nodes.noise(along(0.35, 14.0), 1.0, 4, 0.2)
    wood = nodes.mix(broad, figure, 0.38)
    wood = nodes.mix(
        wood, nodes.ramp(pores, ((0.36, "#8a7a6a"), (0.56, "#ffffff"))), 0.55, "MULTIPLY"
    )
    tint = nodes.ramp(plank.outputs["Color"], ((0.0, "#d6cdc6"), (1.0, "#ffffff")))
    wood = nodes.mix(wood, tint, 1.0, "MULTIPLY")
    nodes.paint(nodes.mix(wood, linear("#140a05"), plank.outputs["Fac"]))
    nodes.put(
        "Roughness",
        nodes.add(
            "ShaderNodeMapRange",
            {"Value": pores, "To Min": roughness + 0.18, "To Max": roughness - 0.06},
        ).outputs[0],
    )
    nodes.emboss(pores, 0.12, 0.02)
    return nodes.material


def cloth(dark: str, light: str, turn: float) -> Any:
    nodes = Nodes("cloth", roughness=0.95, specular=0.1, sheen=0.2)
    weave = [
        nodes.add(
            "ShaderNodeTexWave",
            {
                "Vector": nodes.stretched((1, 1, 1), turn),
                "Scale": 2.6,
                "Distortion": 0.8,
                "Detail": 1.0,
            },
            bands_direction=direction,
        ).outputs["Fac"]
        for direction in ("X", "Y")
    ]
    height = nodes.add("ShaderNodeMath", {0: weave[0], 1: weave[1]}, operation="MULTIPLY").outputs[
        0
    ]
    folds = nodes.noise(nodes.stretched((1, 1, 1), turn), 0.08, 2)
    colour = nodes.mix(
        nodes.ramp(height, ((0.0, dark), (0.7, light))),
        nodes.ramp(folds, ((0.3, dark), (0.8, light))),
        0.4,
    )
    nodes.paint(colour)
    nodes.emboss(height, 0.5, 0.03)
    return nodes.material


def speckled(dark: str, light: str, roughness: float) -> Any:
    """A plain surface with a faint mottling: a lacquered or stone table."""
    nodes = Nodes("speckled", roughness=roughness, specular=0.5)
    fine = nodes.noise(nodes.stretched((1, 1, 1)), 3.0, 8, 0.5)
    nodes.paint(nodes.ramp(fine, ((0.35, dark), (0.65, light))))
    return nodes.material

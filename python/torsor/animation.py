# SPDX-License-Identifier: Apache-2.0
"""Small pictures for notebooks, of a run or a mode in motion and of a model: SVG with its own clock, without scripts.

Places of nodes are projected along one direction, so that most of the motion is seen. Nodes of one part with several nodes are joined
by a line; a rigid body is a dot with lines to its joints. At most MOST_STATES states and MOST_NODES nodes are drawn; the report
(Results.show) draws all of them.
"""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import Floats

if TYPE_CHECKING:
    from .modes import Modes
    from .results import Results, Table
    from .run import Run

Places = dict[str, list[Floats]]  # by part: states x 3 of each node
MOST_STATES, MOST_NODES = 60, 200
WIDTH, HEIGHT, MARGIN = 420, 260, 16  # pixels
LONGEST = 10.0  # s, of one round
PHASES = 24  # of a mode
SWING = 0.12  # of the size, the largest displacement of a mode
UP = np.array([[0.82, -0.57, 0.0], [0.22, 0.31, 0.92]])  # rows: to the right, upwards


def paths_of(table: Table) -> Places:
    """Of every part, the places of its nodes: states x 3 each."""
    found: Places = {}
    for name in table:
        if name.endswith(".position.x"):
            node = name[:-len(".x")]
            place = np.column_stack([table[f"{node}.{axis}"] for axis in "xyz"])
            found.setdefault(node.split(".")[0], []).append(place)
    return found


def turned(quaternion: Floats, point: Floats) -> Floats:
    """A point in body axes, along global axes: states x 3. Quaternions are s, x, y, z."""
    s, v = quaternion[:, :1], quaternion[:, 1:]
    twice: Floats = np.asarray(2*np.cross(v, np.broadcast_to(point, v.shape)), dtype=float)
    return np.asarray(point + s*twice + np.cross(v, twice), dtype=float)


def rods_of(results: Results, paths: Places) -> Places:
    """Of every rigid body, where its joints are: states x 3 each."""
    found: Places = {}
    for part, at in results.attachments():
        if len(paths.get(part, ())) == 1:
            found.setdefault(part, []).append(paths[part][0] + turned(results[f"{part}.quaternion"], at))
    return found


def flat(paths: Places) -> tuple[Places, bool]:
    """Pixels: seen along y where nothing leaves a plane of y, or else from above at an angle."""
    every = np.concatenate([place for nodes in paths.values() for place in nodes])
    size = np.ptp(every, axis=0)
    thin = int(np.argmin(size))
    planar = size[thin] <= 1e-6 * size.max(initial=1e-300)
    views = [np.array([[0, 1, 0], [0, 0, 1]]), np.array([[1, 0, 0], [0, 0, 1]]), np.array([[1, 0, 0], [0, 1, 0]])]
    view = views[thin] if planar else UP
    seen = every @ view.T
    low, extent = seen.min(axis=0), np.ptp(seen, axis=0)
    scale = min((WIDTH - 2 * MARGIN) / max(extent[0], 1e-9 * extent.max(initial=1e-300), 1e-300),
                (HEIGHT - 2 * MARGIN) / max(extent[1], 1e-9 * extent.max(initial=1e-300), 1e-300))
    offset = np.array([WIDTH, HEIGHT]) / 2 - scale * extent / 2

    def pixels(place: Floats) -> Floats:
        x: Floats = (place @ view.T - low) * scale + offset
        x[:, 1] = HEIGHT - x[:, 1]
        return x

    return {part: [pixels(place) for place in nodes] for part, nodes in paths.items()}, planar


def moves(attribute: str, values: list[str], clock: str) -> str:
    """The animation of an attribute; nothing moves in one state."""
    return f'<animate attributeName="{attribute}" values="{";".join(values)}" {clock}/>' if len(values) > 1 else ""


def rod(places: list[Floats], colour: str, clock: str) -> str:
    """Lines from the first place to the others, which move."""
    start, *ends = places
    parts = []
    for end in ends:
        lines = [f"{a[0]:.1f},{a[1]:.1f} {b[0]:.1f},{b[1]:.1f}" for a, b in zip(start, end)]
        parts.append(f'<polyline class="rod" fill="none" stroke="{colour}" stroke-width="3" stroke-linecap="round" points="{lines[0]}">'
                     f'{moves("points", lines, clock)}</polyline>')
    return "".join(parts)


def drawing(paths: Places, rods: Places, seconds: float, label: str) -> str:
    """Places of nodes and of joints of bodies, states x 3 each, as a picture whose round takes so long."""
    drawn, _ = flat({part: nodes + rods.get(part, []) for part, nodes in paths.items()})
    clock = f'dur="{min(max(seconds, 1.0), LONGEST):g}s" repeatCount="indefinite"'
    parts = []
    for i, (part, nodes) in enumerate(drawn.items()):
        colour = f"hsl({(i * 137) % 360}, 65%, 45%)"
        title = f"<title>{html.escape(part)}</title>"
        x = nodes[0]
        if len(paths[part]) > 1:
            states = [" ".join(f"{node[k][0]:.1f},{node[k][1]:.1f}" for node in nodes) for k in range(len(x))]
            parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="3" points="{states[0]}">{title}{moves("points", states, clock)}</polyline>')
            continue
        centre = "".join(moves(name, [f"{v:.1f}" for v in x[:, k]], clock) for k, name in enumerate(("cx", "cy")))
        parts.append(f'{rod(nodes, colour, clock)}<circle r="5" fill="{colour}" cx="{x[0][0]:.1f}" cy="{x[0][1]:.1f}">{title}{centre}</circle>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{html.escape(label)}" style="border: 1px solid #8888; border-radius: 4px">{"".join(parts)}</svg>')


def chosen_of(found: Places, states: Any) -> Places:
    return {part: [place[states] for place in places] for part, places in found.items()}


def every_of(*found: Places) -> Floats:
    """All places, one below the other."""
    return np.concatenate([place for some in found for places in some.values() for place in places])


def svg(results: Results) -> str:
    """The picture of a run; "" where nothing has a position."""
    table = results.table("*.position")
    paths = paths_of(table)
    if not paths or sum(map(len, paths.values())) > MOST_NODES or len(table.t) == 0:
        return ""
    chosen = np.unique(np.linspace(0, len(table.t) - 1, min(MOST_STATES, len(table.t))).astype(int))
    rods = rods_of(results, paths)
    return drawing(chosen_of(paths, chosen), chosen_of(rods, chosen), float(table.t[chosen[-1]] - table.t[chosen[0]]), "the motion of the model")


def places_of(run: Run, shape: Floats | None = None) -> tuple[Places, Places]:
    """Nodes and joints of bodies of a run as it stands: 1 x 3 each; or the displacements that a shape gives them."""
    paths: Places = {}
    rods: Places = {}
    bodies: dict[str, Any] = {}
    for node in run.nodes:
        if node.index > 0:  # not the ground
            moved = node.position if shape is None else shape[node.index, :3]
            paths.setdefault(node.part, []).append(np.array([moved]))
            bodies[node.part] = node
    for part, at in run.attachments():
        if part in paths and len(paths[part]) == 1 and bodies[part].kind == "frame":
            arm = bodies[part].rotation @ at
            rods.setdefault(part, []).append(paths[part][0] + (arm if shape is None else np.cross(shape[bodies[part].index, 3:], arm)))
    return paths, rods


def still(run: Run) -> str:
    """The picture of a model as it stands; "" where there is nothing to draw."""
    paths, rods = places_of(run)
    return drawing(paths, rods, 1.0, "the model as drawn") if paths and sum(map(len, paths.values())) <= MOST_NODES else ""


def swing(modes: Modes, index: int = 0) -> str:
    """The picture of a mode in motion; "" where there is nothing to draw."""
    (paths, rods), (nodes, joints) = places_of(modes.run), places_of(modes.run, modes[index].shape)
    if not paths or sum(map(len, paths.values())) > MOST_NODES:
        return ""
    size, largest = float(np.ptp(every_of(paths, rods), axis=0).max()), float(np.abs(every_of(nodes, joints)).max())
    phase = np.sin(np.linspace(0, 2*np.pi, PHASES + 1))[:, None] * (SWING * size / largest if largest > 0 else 0.0)

    def moved(rest: Places, by: Places) -> Places:
        return {part: [place + phase*d for place, d in zip(places, by[part])] for part, places in rest.items()}

    return drawing(moved(paths, nodes), moved(rods, joints), 2.0, f"mode {index + 1} in motion")

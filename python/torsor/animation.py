# SPDX-License-Identifier: Apache-2.0
"""A small moving picture of a run, for notebooks: SVG with its own clock, without scripts.

Places of nodes are projected along one direction, so that most of the motion is seen. Nodes of one part with several nodes are joined
by a line; a rigid body is a dot with lines to its joints. At most MOST_STATES states and MOST_NODES nodes are drawn; the report
(Results.show) draws all of them.
"""
from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from ._library import Floats

if TYPE_CHECKING:
    from .results import Results, Table

MOST_STATES, MOST_NODES = 60, 200
WIDTH, HEIGHT, MARGIN = 420, 260, 16  # pixels
LONGEST = 10.0  # s, of one round
UP = np.array([[0.82, -0.57, 0.0], [0.22, 0.31, 0.92]])  # rows: to the right, upwards


def paths_of(table: Table) -> dict[str, list[Floats]]:
    """Of every part, the places of its nodes: states x 3 each."""
    found: dict[str, list[Floats]] = {}
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


def rods_of(results: Results, paths: dict[str, list[Floats]]) -> dict[str, list[Floats]]:
    """Of every rigid body, where its joints are: states x 3 each."""
    found: dict[str, list[Floats]] = {}
    for part, at in results.attachments():
        if len(paths.get(part, ())) == 1:
            found.setdefault(part, []).append(paths[part][0] + turned(results[f"{part}.quaternion"], at))
    return found


def flat(paths: dict[str, list[Floats]]) -> tuple[dict[str, list[Floats]], bool]:
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


def rod(places: list[Floats], colour: str, clock: str) -> str:
    """Lines from the first place to the others, which move."""
    start, *ends = places
    parts = []
    for end in ends:
        lines = [f"{a[0]:.1f},{a[1]:.1f} {b[0]:.1f},{b[1]:.1f}" for a, b in zip(start, end)]
        parts.append(f'<polyline class="rod" fill="none" stroke="{colour}" stroke-width="3" stroke-linecap="round" points="{lines[0]}">'
                     f'<animate attributeName="points" values="{";".join(lines)}" {clock}/></polyline>')
    return "".join(parts)


def svg(results: Results) -> str:
    """The picture of a run; "" where nothing has a position."""
    table = results.table("*.position")
    paths = paths_of(table)
    if not paths or sum(map(len, paths.values())) > MOST_NODES or len(table.t) == 0:
        return ""
    chosen = np.unique(np.linspace(0, len(table.t) - 1, min(MOST_STATES, len(table.t))).astype(int))
    rods = rods_of(results, paths)
    drawn, _ = flat({part: [place[chosen] for place in nodes + rods.get(part, [])] for part, nodes in paths.items()})
    last = float(table.t[chosen[-1]] - table.t[chosen[0]])
    clock = f'dur="{min(max(last, 1.0), LONGEST):g}s" repeatCount="indefinite"'
    parts = []
    for i, (part, nodes) in enumerate(drawn.items()):
        colour = f"hsl({(i * 137) % 360}, 65%, 45%)"
        title = f"<title>{html.escape(part)}</title>"
        if len(paths[part]) > 1:
            states = [" ".join(f"{x[k][0]:.1f},{x[k][1]:.1f}" for x in nodes) for k in range(len(chosen))]
            parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="3" points="{states[0]}">{title}'
                         f'<animate attributeName="points" values="{";".join(states)}" {clock}/></polyline>')
            continue
        parts.append(rod(nodes, colour, clock))
        x = nodes[0]
        moves = "".join(f'<animate attributeName="{name}" values="{";".join(f"{v:.1f}" for v in x[:, k])}" {clock}/>'
                        for k, name in enumerate(("cx", "cy")))
        parts.append(f'<circle r="5" fill="{colour}" cx="{x[0][0]:.1f}" cy="{x[0][1]:.1f}">{title}{moves}</circle>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="the motion of the model" style="border: 1px solid #8888; border-radius: 4px">{"".join(parts)}</svg>')

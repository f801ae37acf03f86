# SPDX-License-Identifier: Apache-2.0
"""Damaged and crafted results files, made from a good one: what each has wrong is its name.

A maker changes the file through h5py, so HDF5 finds nothing wrong with it: what it shows is whether torsor believes it.
`reseal` gives a changed file right checksums again, as somebody who means ill would.
"""
import ctypes
import ctypes.util
import hashlib
import shutil

import h5py
import numpy as np

MODEL = """
torsor: 1
title: Two links
units: SI
gravity: [0, 0, -9.81]
parameters: {M: 2 kg}
bodies:
  upper: {mass: M, inertia: [0.02, 0.02, 0.001], position: [0, 0, -0.25]}
  lower: {mass: 1, inertia: [0.02, 0.02, 0.001], position: [0.5, 0, -0.5]}
joints:
  top: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: y}
  elbow: {type: revolute, bodies: [upper, lower], at: [0, 0, -0.5], axis: y}
springs:
  damper: {type: torsion_spring, joint: top, damping: 0.2}
analysis: {scheme: ED, step: 5 ms, end: 100 ms}
"""


def replace(path, data, **options):
    def change(file):
        attributes = dict(file[path].attrs)
        values = data(file[path]) if callable(data) else data
        del file[path]
        made = file.create_dataset(path, data=values, **options)
        for name, value in attributes.items():
            made.attrs[name] = value
    return change


def wide(path, columns, kind="f8"):
    return lambda file: replace(path, np.ones((file[path].shape[0], columns), kind))(file)


def rows(path, count):
    """A dataset that declares so many rows and holds none."""
    def change(file):
        kind, shape = file[path].id.get_type(), file[path].shape
        del file[path]
        space = h5py.h5s.create_simple((count, *shape[1:]), (count, *shape[1:]))
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_chunk((1024, *(max(1, n) for n in shape[1:])))
        h5py.h5d.create(file.id, path.encode(), kind, space, how)
    return change


def everything(count):
    def change(file):
        for name in list(file["frames"]):
            rows(f"frames/{name}", count)(file)
        file["progress"][0] = count
    return change


def text(old, new):
    def change(file):
        words = file["model/text"][()].replace(old, new)
        assert words != file["model/text"][()]
        del file["model/text"]
        file.create_dataset("model/text", data=np.array(words, dtype=f"S{len(words)}"))
    return change


def field(path, name, value):
    def change(file):
        table = file[path][:]
        table[name] = value
        file[path][:] = table
    return change


def attribute(name, value):
    return lambda file: file.attrs.__setitem__(name, value)


def link(path, target):
    def change(file):
        del file[path]
        file[path] = target
    return change


def external(file):
    del file["model/text"]
    file.create_dataset("model/text", shape=(), dtype="S200", external=[("/etc/passwd", 0, 200)])


def virtual(file):
    shape = file["frames/v"].shape
    layout = h5py.VirtualLayout(shape=shape, dtype="f8")
    layout[:] = h5py.VirtualSource(".", "frames/q", shape=shape)
    del file["frames/v"]
    file.create_virtual_dataset("frames/v", layout)


def scaled(path, row, factor):
    def change(file):
        file[path][row] = file[path][row] * factor
    return change


def set_row(path, row, value):
    return lambda file: file[path].__setitem__(row, value)


# name: (what makes it, the verbs that must refuse it)
ALL = ("info", "restart", "report", "csv")
CRAFTED = {
    "progress as a table": (replace("progress", np.tile(np.array([[21], [20]], "i8"), (1, 100000))), ALL),
    "progress of doubles": (replace("progress", np.array([21.0, 20.0])), ALL),
    "progress below zero": (set_row("progress", slice(None), [-5, -5]), ALL),
    "progress of 2^62": (set_row("progress", slice(None), [2**62, 2**62]), ALL),
    "trail of 100000": (lambda f: replace("frames/trail", np.ones((f["frames/trail"].shape[0], 100000)))(f), ("info", "restart", "report")),
    "step control of 50": (wide("frames/step_control", 50), ALL),
    "ledger of 900": (wide("frames/ledger", 900), ALL),
    "t as a table": (wide("frames/t", 900), ALL),
    "step as a table": (wide("frames/step", 900, "i8"), ALL),
    "kinetic as a table": (wide("steps/kinetic", 900), ALL),
    "t of single precision": (replace("frames/t", lambda d: d[:].astype("f4")), ALL),
    "q packed": (replace("frames/q", lambda d: d[:], chunks=True, compression="gzip"), ALL),
    "q of 2^40 rows": (rows("frames/q", 2**40), ALL),
    "nodes of 2^40 rows": (rows("model/nodes", 2**40), ("info", "report", "csv")),
    "2^33 frames": (everything(2**33), ALL),
    "velocities that are another dataset": (virtual, ALL),
    "text in another file": (external, ALL),
    "text by an external link": (link("model/text", h5py.ExternalLink("/etc/passwd", "/x")), ALL),
    "q by a soft link": (link("frames/q", h5py.SoftLink("/frames/v")), ALL),
    "another mass": (text(b"M: 2 kg", b"M: 3 kg"), ALL),
    "another damping": (text(b"damping: 0.2", b"damping: 0.9"), ALL),
    "no table of channels": (lambda f: f.__delitem__("model/channels"), ("info", "report", "csv")),
    "no trail": (lambda f: f.__delitem__("frames/trail"), ALL),
    "no geometry": (lambda f: f.__delitem__("geometry"), ("report", "csv")),
    "no text": (lambda f: f.__delitem__("model/text"), ALL),
    "storing every 0": (attribute("store_every", np.int64(0)), ("restart",)),
    "a step below zero": (attribute("h", -1.0), ("restart",)),
    "a step that is no number": (attribute("h", np.nan), ("restart",)),
    "a tiny step": (attribute("h", 1e-300), ("restart",)),
    "no end": (attribute("t_end", np.inf), ("restart",)),
    "a long scheme": (attribute("scheme", np.bytes_(b"A" * 5000)), ("restart",)),
    "parameters for printf": (attribute("scheme_parameters", np.bytes_(b"%n%n%s" * 500)), ()),
    "a slot of 10^9": (field("model/nodes", "slot", 10**9), ("report", "csv")),
    "a slot of -10^9": (field("model/nodes", "slot", -(10**9)), ("report", "csv")),
    "a reaction of 10^9": (field("model/parts", "reaction", 10**9), ("report",)),
    "a body's node of 10^6": (field("geometry/bodies", "node", 10**6), ("report",)),
    "a link's node of -10^6": (field("geometry/links", "node_a", -(10**6)), ("report",)),
}

# wrong states of the right shape: their checksums tell; after `reseal`, restart must refuse them by what they are
STATES = {
    "q is not a number": (lambda f: f["frames/q"].__setitem__(slice(None), np.nan), "not finite"),
    "q of the last state times 1.001": (scaled("frames/q", -1, 1.001), "ground moves|not orthonormal"),
    "directors that lean": (lambda f: f["frames/q"].__setitem__((-1, 6, 0), 0.1), "not orthonormal"),
    "a ground that moves": (lambda f: f["frames/v"].__setitem__((-1, 0, 0), 1.0), "ground moves"),
    "a body that is elsewhere": (lambda f: f["frames/q"].__setitem__((-1, 4, 1), 0.3), "hold together"),
}

_library = ctypes.CDLL(ctypes.util.find_library("xxhash"))
_library.XXH3_64bits.restype = ctypes.c_uint64
_library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def checksum(data):
    return np.uint64(_library.XXH3_64bits(data, len(data))).astype(np.int64)


def _value(item):
    """An attribute: its name with the closing zero, and its bytes as they are stored."""
    name, owner = item
    stored = h5py.h5a.open(owner.id, name.encode())
    data = np.zeros((), dtype=stored.dtype)
    stored.read(data, mtype=stored.get_type())
    return name.encode() + b"\0" + data.tobytes()


def _attributes(owner, counts):
    return b"".join(_value((name, owner)) for name in sorted(owner.attrs) if counts(name))


def reseal(file):
    """All checksums anew, from docs/results-file.md alone."""
    end = ("status", "finished")
    frames = file["checksums/frames"]
    for column, name in enumerate(frames.attrs["columns"].decode().split()):
        if name == "contact_pairs":
            for row, (first, count) in enumerate(file["frames/contact_range"][:, 0]):
                frames[row, column] = checksum(file[name][first:first + count].tobytes())
            continue
        data = file["frames/" + name.rstrip("+")]
        for row in range(frames.shape[0]):
            frames[row, column] = checksum(data[row].tobytes())
    names = file["checksums/steps"].attrs["columns"].decode().split()
    columns = [file["steps/" + name][:] for name in names]
    for row in range(file["checksums/steps"].shape[0]):
        file["checksums/steps"][row] = checksum(b"".join(c[row].tobytes() for c in columns))
    file["checksums/progress"][:] = checksum(file["progress"][:].tobytes())
    file.attrs["model_hash"] = np.bytes_(hashlib.sha256(file["model/text"][()]).hexdigest())
    for group in ("model", "geometry"):
        for name, data in file[group].items():
            if "checksum" in data.attrs:
                data.attrs["checksum"] = checksum(data[:].tobytes())
    file.attrs["checksum"] = checksum(_attributes(file, lambda n: n not in (*end, "checksum")))
    parts = [checksum(_attributes(file, lambda n: n in end)), checksum(_attributes(file["summary"], lambda n: n != "checksum"))]
    file["summary"].attrs["checksum"] = checksum(np.array(parts).tobytes())


def older(file, version=2):
    """The file as one of a format before there were checksums."""
    del file["checksums"]
    file.attrs["format_version"] = np.int64(version)


def craft(good, bad, change, sealed=False):
    shutil.copy(good, bad)
    with h5py.File(bad, "r+") as file:
        change(file)
        if sealed:
            reseal(file)

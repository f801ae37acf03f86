#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""results_corpus.py: makes tests/corpus/results, the changes to results files that fuzzing begins with.

One file for each: a byte (1: without checksums, 0: with), then changes of 16 bytes, as tests/fuzz_results.c reads them.
"""
import pathlib
import struct

RESHAPE, ELEMENT, ATTRIBUTE, RELINK, RAW = range(5)
FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "corpus" / "results"


def change(what, which=0, rank=0, kind=0, place=0, number=0):
    return struct.pack("<BBBBIq", what, which, rank, kind, place, number)


def bits(value):
    return struct.unpack("<q", struct.pack("<d", value))[0]


CORPUS = {
    "nothing": [],
    "progress_table": [change(RESHAPE, 0, rank=1, kind=1, place=0x72)],
    "progress_large": [change(ELEMENT, 0, number=2**62)],
    "trail_wide": [change(RESHAPE, 7, rank=1, place=0x74)],
    "q_huge": [change(RESHAPE, 3, rank=2, kind=8, place=0x349)],
    "q_nan": [change(ELEMENT, 3, place=400, number=bits(float("nan")))],
    "nodes_slot": [change(ELEMENT, 16, place=40, number=10**9)],
    "links_node": [change(ELEMENT, 25, place=20, number=-(10**6))],
    "cells_first": [change(ELEMENT, 22, place=12, number=2**40)],
    "text_gone": [change(RELINK, 15)],
    "q_soft": [change(RELINK, 3, kind=1, place=4)],
    "nodes_are_parts": [change(RELINK, 16, kind=2, place=17)],
    "step_negative": [change(ATTRIBUTE, 1, number=bits(-1.0))],
    "store_every_0": [change(ATTRIBUTE, 4, number=0)],
    "raw": [change(RAW, rank=7, place=5000, number=-1), change(RAW, rank=0, place=40000, number=7)],
}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, changes in CORPUS.items():
        (FOLDER / name).write_bytes(b"\1" + b"".join(changes))
    (FOLDER / "sealed").write_bytes(b"\0" + change(ELEMENT, 3, place=400, number=1))


if __name__ == "__main__":
    main()

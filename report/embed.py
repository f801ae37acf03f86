#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""embed.py FILE OUTPUT.S NAME: assembly that carries the bytes of FILE as NAME to NAME_end."""
import pathlib
import sys

file, output, name = sys.argv[1:]
path = str(pathlib.Path(file).resolve()).replace("\\", "\\\\").replace('"', '\\"')
pathlib.Path(output).write_text(f"""    .section .rodata
    .global {name}, {name}_end
    .balign 16
{name}:
    .incbin "{path}"
{name}_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
""", encoding="utf-8")

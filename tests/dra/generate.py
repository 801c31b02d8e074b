#!/usr/bin/env python3
"""Prints random questions for the program of this folder, one JSON object a line.

usage: generate.py selectors|claims COUNT SEED
"""
import json
import sys

import claims
import device_selectors


def main():
    what, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    generator = {"selectors": device_selectors, "claims": claims}[what].Generator(seed)
    for _ in range(count):
        print(json.dumps(generator.question(), ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()

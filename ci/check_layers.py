#!/usr/bin/env python3
"""Checks that every #include respects the layer table of ARCHITECTURE.md.

usage: check_layers.py [ROOT]; prints offending includes and exits with 1 if there are any.
"""
import pathlib
import re
import sys

LAYERS = {  # folder: (folders it may include besides itself, third-party headers by first path part)
    "compiler/base": ([], {"fmt"}),
    "compiler/events": (["compiler/base"], {"fmt"}),
    "compiler/ir": (["compiler/base"], {"fmt"}),
    "compiler/edit": (["compiler/base", "compiler/ir"], {"fmt"}),
    "frontend": (["compiler/base", "compiler/ir"], {"fmt", "yaml-cpp", "re2", "zlib.h"}),
    "compiler/model": (["compiler/base", "compiler/ir"], {"fmt", "re2"}),
    "compiler/cel": (["compiler/base", "compiler/model"], {"re2"}),
    "compiler/dra": (["compiler/base", "compiler/ir", "compiler/model", "compiler/cel"], {"fmt"}),
    "compiler/flyte": (["compiler/base", "compiler/ir", "compiler/model"], {"fmt", "re2"}),
    "compiler/schedule": (["compiler/base", "compiler/ir", "compiler/model", "compiler/cel",
                           "compiler/dra"], {"fmt", "re2"}),
    "compiler/generate": (["compiler/base", "compiler/ir", "compiler/model", "compiler/flyte",
                           "compiler/schedule"], {"fmt"}),
    "compiler/why": (["compiler/base", "compiler/events", "compiler/ir", "compiler/model",
                      "compiler/flyte", "compiler/schedule", "compiler/generate"], {"fmt"}),
    "compiler/engine": (["compiler/base", "compiler/ir", "compiler/model"], {"fmt", "re2"}),
    "compiler/policy": (["compiler/base", "compiler/ir", "compiler/model", "compiler/schedule",
                         "compiler/engine"], {"fmt", "re2"}),
    "compiler/inputs": (["compiler/base", "compiler/ir", "compiler/model", "frontend",
                         "compiler/engine"], {"fmt"}),
    "rules": (["compiler/base", "compiler/ir", "compiler/model", "compiler/flyte",
               "compiler/schedule", "compiler/cel", "compiler/dra", "compiler/engine", "compiler/edit",
               "rules/support"], {"fmt", "re2"}),
    "compiler/analysis": (["compiler/base", "compiler/ir", "compiler/model", "compiler/flyte",
                           "compiler/schedule", "compiler/generate", "compiler/engine",
                           "compiler/inputs", "compiler/edit", "frontend", "rules"], {"fmt", "re2"}),
    "backends": (["compiler/base", "compiler/events", "compiler/ir", "compiler/model",
                  "compiler/flyte", "compiler/schedule", "compiler/why", "compiler/engine"],
                 {"fmt", "nlohmann"}),
    "compiler/answers": (["compiler/base", "compiler/events", "compiler/ir", "compiler/model", "compiler/flyte",
                          "compiler/schedule", "compiler/generate", "compiler/engine",
                          "compiler/inputs", "compiler/edit", "compiler/analysis", "compiler/why",
                          "frontend", "rules", "backends"], {"fmt", "re2"}),
    "compiler/driver": (["compiler", "frontend", "rules", "backends"], {"fmt", "CLI", "re2"}),
}
THIRD_PARTY = {"fmt", "yaml-cpp", "re2", "nlohmann", "CLI", "simdjson", "catch2", "zlib.h"}
# Every other third-party header stays out of our headers; backends share JSON builders inside.
IN_HEADERS = {("fmt", None), ("nlohmann", "backends")}
INCLUDE = re.compile(r'^\s*#include\s+([<"])([^>"]+)[>"]', re.M)


def layer_of(path):
    """The longest layer that is a prefix of the path."""
    matches = [layer for layer in LAYERS if path.startswith(layer + "/")]
    return max(matches, key=len, default=None)


def complaints(path, text):
    """One line for each include that the layer of `path` does not allow."""
    layer = layer_of(path)
    allowed, libraries = LAYERS[layer]
    for bracket, name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if bracket == '"' and "/" in name and not name.endswith(".inc"):  # generated tables
            own_rule = layer == "rules" and not name.startswith("rules/support/") and \
                name.startswith("rules/") and name.split("/")[1] != path.split("/")[1]
            inside = layer_of(name) == layer and not own_rule
            if not inside and not any(name.startswith(folder + "/") for folder in allowed):
                yield f"{path}: {layer} may not include {name}"
        elif first in THIRD_PARTY:
            if first not in libraries:
                yield f"{path}: {layer} may not include <{name}>"
            elif path.endswith(".h") and not {(first, None), (first, layer)} & IN_HEADERS:
                yield f"{path}: <{name}> belongs into a .cpp file"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = []
    for top in ("compiler", "frontend", "rules", "backends"):
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix in (".h", ".cpp") and layer_of(path):
                found += complaints(path, file.read_text())
    print("\n".join(found) if found else "layers: every include is allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks who includes whom: rooms as LAYERS says, and no circles between folders or between files.

usage: check_layers.py [ROOT]; prints offending arrows and exits with 1 if there are any. An arrow is an `#include`, or the forward
declaration of a type that another file defines.
"""
import pathlib
import re
import sys

BASE = ["compiler/base"]
TREES = BASE + ["compiler/ir"]
DOCUMENTS = TREES + ["compiler/model/gitops"]
MODEL = DOCUMENTS + ["compiler/model"]
NODES = MODEL + ["compiler/cel", "compiler/model/dra", "compiler/schedule"]
RULES = NODES + ["compiler/flyte", "compiler/api_validation", "compiler/engine", "compiler/edit"]
CHECK = RULES + ["frontend", "compiler/render", "rules", "compiler/project"]
PRINT = NODES + ["compiler/flyte", "compiler/api_validation", "compiler/engine", "compiler/edit"]
PIPELINE = CHECK + ["compiler/place", "compiler/check", "compiler/fix", "compiler/generate", "compiler/policy", "compiler/messages", "compiler/why"]
LAYERS = {  # room: (rooms it may include besides itself, third-party headers by first path part)
    "compiler/base": ([], {"fmt", "re2"}),
    "compiler/messages": (BASE, {"fmt"}),
    "compiler/ir": (BASE, {"fmt"}),
    "compiler/model/gitops": (TREES, {"fmt"}),
    "compiler/edit": (DOCUMENTS, {"fmt"}),
    "frontend": (DOCUMENTS, {"fmt", "yaml-cpp", "re2", "zlib.h"}),
    "compiler/render": (TREES + ["frontend"], {"fmt", "nlohmann"}),
    "compiler/model": (DOCUMENTS, {"fmt", "re2"}),
    "compiler/cel": (BASE + ["compiler/model"], {"re2"}),
    "compiler/model/dra": (MODEL + ["compiler/cel"], {"fmt"}),
    "compiler/flyte": (MODEL, {"fmt", "re2"}),
    "compiler/schedule": (NODES, {"fmt", "re2"}),
    "compiler/api_validation": (NODES, {"fmt", "re2"}),
    "compiler/engine": (MODEL, {"fmt", "re2"}),
    "compiler/policy": (NODES + ["compiler/engine"], {"fmt", "re2"}),
    "rules": (RULES + ["rules/support"], {"fmt", "re2"}),
    "compiler/project": (RULES + ["frontend", "compiler/messages", "compiler/render"], {"fmt", "re2"}),
    "compiler/place": (RULES + ["frontend", "compiler/project"], {"fmt"}),
    "compiler/check": (CHECK, {"fmt", "re2"}),
    "compiler/fix": (CHECK + ["compiler/check"], {"fmt"}),
    "compiler/generate": (CHECK, {"fmt"}),
    "compiler/why": (CHECK + ["compiler/messages", "compiler/place", "compiler/check", "compiler/generate"], {"fmt"}),
    "backends": (PRINT + ["compiler/messages", "compiler/place", "compiler/check", "compiler/why"], {"fmt", "nlohmann"}),
    "compiler/pipeline": (PIPELINE, set()),
    "compiler/server": (PIPELINE + ["compiler/pipeline", "backends"], {"fmt", "nlohmann"}),
    "compiler/driver": (BASE + ["compiler/engine", "compiler/pipeline", "compiler/server", "backends"],
                        {"fmt", "CLI", "re2"}),
}
EXCEPTIONS = {  # headers that a room includes beyond its rooms, and why
    ("backends", "compiler/project/finding_places.h"),  # a report names the objects
    ("backends", "compiler/project/read_summary.h"),    # each report says what was read
    ("backends", "compiler/project/stream_origins.h"),  # and what a piped stream was made of
    ("compiler/driver", "compiler/project/write_file.h"),    # commands write what they are asked for,
    ("compiler/driver", "compiler/project/write_changes.h"),
    ("compiler/driver", "compiler/project/patch_name.h"),    # print patches,
    ("compiler/driver", "compiler/project/overwriting.h"),   # and never over an input
    ("compiler/driver", "compiler/project/file_system.h"),   # the server's files are the disk's;
    ("compiler/driver", "compiler/render/renderer.h"),       # count what was rendered,
    ("compiler/driver", "compiler/flyte/task.h"),            # what `--task` may say
}
THIRD_PARTY = {"fmt", "yaml-cpp", "re2", "nlohmann", "CLI", "simdjson", "catch2", "zlib.h"}
# Every other third-party header stays out of our headers; backends and server share JSON builders inside.
IN_HEADERS = {("fmt", None), ("nlohmann", "backends"), ("nlohmann", "compiler/server")}


INCLUDE = re.compile(r'^\s*#include\s+([<"])([^>"]+)[>"]', re.M)
NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*) \{")
# A namespace of nothing but declarations ends in a lone brace.
DECLARATIONS = re.compile(r"^(namespace [\w:]+ \{\n(?:(?:class|struct|enum) .*\n)+\})$", re.M)
TYPE = re.compile(r"^(?:class|struct|enum(?: class)?) (\w+)(?: final)?(?: : [^;{]*)?( \{|;|$)")


def layer_of(path):
    """The longest room that is a prefix of the path; the pipeline is a room of one file."""
    matches = [room for room in LAYERS if path.startswith((room + "/", room + "."))]
    return max(matches, key=len, default=None)


def refuse_include(path, name):
    """Why the room of `path` may not include this file; None where it may."""
    layer = layer_of(path)
    own_rule = name.startswith("rules/") and not name.startswith("rules/support/")
    if layer == "rules" and own_rule:
        allowed = name.split("/")[1] == path.split("/")[1]
    else:
        allowed = layer_of(name) in (layer, *LAYERS[layer][0]) or (layer, name) in EXCEPTIONS
    return None if allowed else f"{path}: {layer} may not include {name}"


def complaints(path, text):
    """One line for each include that the room of `path` does not allow."""
    layer = layer_of(path)
    for bracket, name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if bracket == '"' and "/" in name and not name.endswith(".inc"):  # generated tables
            refusal = refuse_include(path, name)
            if refusal:
                yield refusal
        elif first in THIRD_PARTY:
            if first not in LAYERS[layer][1]:
                yield f"{path}: {layer} may not include <{name}>"
            elif path.endswith(".h") and not {(first, None), (first, layer)} & IN_HEADERS:
                yield f"{path}: <{name}> belongs into a .cpp file"


def types(text):
    """(full name, whether it is defined) of each type that a file defines or declares at the top of a namespace."""
    namespaces = []
    for line in DECLARATIONS.sub(r"\1  // namespace", text).split("\n"):
        opened = NAMESPACE.match(line)
        found = TYPE.match(line)
        if opened:
            namespaces.append(opened[1])
        elif line.startswith("}  // namespace"):
            namespaces.pop()
        elif found:
            yield "::".join([*namespaces, found[1]]), found[2] != ";"


def arrows(texts):
    """{file: files it includes or whose types it declares}, a header and its .cpp being one: paths without extension."""
    defined = {name: path for path, text in texts.items() if path.endswith(".h")
               for name, is_definition in types(text) if is_definition}
    graph = {}
    for path, text in texts.items():
        targets = {name for bracket, name in INCLUDE.findall(text) if bracket == '"'}
        targets |= {defined[name] for name, is_definition in types(text) if not is_definition and name in defined}
        stem = path.rsplit(".", 1)[0]
        graph.setdefault(stem, set()).update(target.rsplit(".", 1)[0] for target in targets if target in texts)
        graph[stem].discard(stem)
    return graph


def circles(graph):
    """Sets of nodes that reach one another (Tarjan)."""
    found, index, low, stack = [], {}, {}, []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph.get(node, ())):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(frozenset(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def folders(graph):
    """The same arrows between folders; the pipeline, a file of its own, is one."""
    def folder(path):
        return path if path in LAYERS else path.rsplit("/", 1)[0]
    result = {}
    for path, targets in graph.items():
        result.setdefault(folder(path), set()).update(folder(target) for target in targets)
    return {path: targets - {path} for path, targets in result.items()}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    sys.setrecursionlimit(10000)
    texts = {}
    for top in ("compiler", "frontend", "rules", "backends"):
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix in (".h", ".cpp") and layer_of(path):
                texts[path] = file.read_text()
    found = [line for path, text in texts.items() for line in complaints(path, text)]
    graph = arrows(texts)
    found += ["circle: " + " ".join(sorted(one)) for one in circles(graph) + circles(folders(graph))]
    print("\n".join(sorted(found)) if found else "layers: every include is allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Turns kubernetes_api.json into C++ tables: generate_schema.py OUTPUT_FILE. Standard library only."""
import json
import pathlib
import sys

SCALARS = {"string": "string", "bool": "boolean", "int32": "int32", "int64": "int64",
           "float": "number", "quantity": "quantity", "intOrString": "int_or_string",
           "time": "time", "bytes": "bytes", "any": "any"}


def field(name, notation, types):
    container = "single"
    if notation.startswith("[]"):
        container, notation = "list", notation[2:]
    elif notation.startswith("{}"):
        container, notation = "map", notation[2:]
    if notation in SCALARS:
        return f'{{"{name}", ApiFieldKind::{SCALARS[notation]}, ApiContainer::{container}, 0}}'
    index = types.index(notation)
    return f'{{"{name}", ApiFieldKind::structure, ApiContainer::{container}, {index}}}'


def main():
    source = pathlib.Path(__file__).resolve().parent / "kubernetes_api.json"
    with open(source, encoding="utf-8") as file:
        schema = json.load(file)["types"]
    types = sorted(schema)
    lines = []
    for name in types:
        fields = [field(key, schema[name][key], types) for key in sorted(schema[name])]
        lines.append(f"constexpr std::array<ApiField, {len(fields)}> fields_of_{name}{{{{")
        lines += [f"    {text}," for text in fields]
        lines.append("}};")
    lines.append(f"constexpr std::array<ApiType, {len(types)}> api_types{{{{")
    lines += [f'    {{"{name}", fields_of_{name}}},' for name in types]
    lines.append("}};")
    output = pathlib.Path(sys.argv[1])
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes constexpr C++ tables. Standard library only."""
import re


def text(value):
    """A C++ string literal; None is the empty string."""
    escaped = str(value or "").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def plain(value):
    """The value without a trailing remark in brackets: `device (legacy)` -> `device`."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", value or "").strip()


def remark(value):
    """The trailing remark in brackets, without them."""
    found = re.search(r"\(([^()]*)\)\s*$", value or "")
    return found.group(1) if found else ""


def expand(pattern):
    """`a.{b,c}` -> [`a.b`, `a.c`]; a list that is left open (`...`) -> [`a.*`]."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    head, tail = pattern[:found.start()], pattern[found.end():]
    choices = [choice.strip() for choice in found.group(1).split(",")]
    if "..." in choices:
        return [head + "*"]
    return [word for choice in choices for word in expand(head + choice + tail)]


class Writer:
    """Collects tables of one .inc file. Lists inside rows become arrays of their own."""

    def __init__(self, source):
        self.prefix = source.removesuffix(".json").replace("-", "_")
        self.lines = [f"// Generated from facts/{source}; do not edit."]
        self.lists = {}

    def texts(self, items):
        return self._list("std::string_view", [text(item) for item in items or []])

    def numbers(self, items):
        return self._list("std::uint8_t", [str(item) for item in items or []])

    def values(self, cpp_type, literals):
        """A list of C++ expressions."""
        return self._list(cpp_type, list(literals))

    def _list(self, cpp_type, literals):
        if not literals:
            return "{}"
        key = (cpp_type, tuple(literals))
        if key not in self.lists:
            self.lists[key] = f"{self.prefix}_list_{len(self.lists)}"
            self._array(cpp_type, self.lists[key], literals)
        return self.lists[key]

    def table(self, cpp_type, name, rows):
        """Rows are dicts of member name to C++ expression, in member order."""
        self._array(cpp_type, name, [self.row(row) for row in rows])

    def sub_table(self, cpp_type, rows):
        """A table that a row of another one refers to; returns its name."""
        return self._list(cpp_type, [self.row(row) for row in rows])

    def text_table(self, name, items):
        self._array("std::string_view", name, [text(item) for item in items])

    @staticmethod
    def row(row):
        return "{" + ", ".join(f".{member} = {value}" for member, value in row.items()) + "}"

    def _array(self, cpp_type, name, literals):
        body = ",\n".join("    " + literal for literal in literals)
        self.lines.append(f"constexpr {cpp_type} {name}[] = {{\n{body},\n}};")

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")

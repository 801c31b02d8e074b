"""What CPython's own `ast` sees in a Python source of what gpulint's reader keeps (`gpulint debug spans`)."""
import ast


def kept_by_reader(text):
    """Functions and keyword arguments with their places, as CPython reads them: those that gpulint's reader keeps, without what
    stands in an f-string or among the defaults of parameters, and all."""
    tree = ast.parse(text)
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    passed = {id(inner) for node in ast.walk(tree) for inner in passed_over(node)}
    kept, seen = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found = ("function", node.name, len(node.decorator_list))
        elif isinstance(node, ast.keyword) and node.arg:
            found = ("keyword", node.arg, starts[node.lineno - 1] + node.col_offset, *literal(node.value))
        else:
            continue
        seen.add(found)
        if id(node) not in passed:
            kept.add(found)
    return kept, seen


def literal(value):
    """What of a literal counts: the text of a string, or a number."""
    sign = 1
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value, sign = value.operand, -1
    if not isinstance(value, ast.Constant):
        return []
    if isinstance(value.value, str) and sign == 1:
        return [("string", value.value.encode(errors="surrogatepass").hex())]
    return [("number", sign * value.value)] if type(value.value) in (int, float, complex) else []


def passed_over(node):
    """What the reader does not keep."""
    parts = []
    if isinstance(node, ast.JoinedStr):
        parts = [node]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        parts = [node.args] + ([node.returns] if getattr(node, "returns", None) else [])
    if isinstance(node, ast.ClassDef):
        parts = node.keywords
    if isinstance(node, ast.AnnAssign):
        parts = [node.annotation]
    for part in parts:
        yield from ast.walk(part)


def seen_by_gpulint(printed):
    """The same of what `gpulint debug spans` prints."""
    told = set()
    for line in printed.splitlines():
        begin, _, kind, name, *more = line.split(" ")
        if kind == "function":
            told.add((kind, name, int(more[0])))
        elif not more:
            told.add((kind, name, int(begin)))
        elif more[0] == "string":
            told.add((kind, name, int(begin), ("string", more[1])))
        else:
            told.add((kind, name, int(begin), ("number", ast.literal_eval(" ".join(more[1:])))))
    return told

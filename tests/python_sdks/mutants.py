#!/usr/bin/env python3
"""Holds gpulint's reader of Python against CPython's `ast`, over sources that were changed at random.

usage: mutants.py GPULINT [--count N] [--seed S] [FOLDER…]   (default: the project's own sources, 1,000 mutants)

What CPython parses must be read the same: functions with how many decorators, keyword arguments where they stand, literals. Of
what it refuses gpulint must make something and end.
"""
import argparse
import io
import pathlib
import random
import subprocess
import sys
import tempfile
import tokenize
import warnings

from python_ast import kept_by_reader, seen_by_gpulint

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / folder for folder in ("testdata", "tests", "ci", "bench")]
# Put between tokens: where a bracket is open, and anywhere.
WITHIN = ["\n", "  # gpu=1\n", "\t", " \\\n", "\f ", "\n\n    "]
BETWEEN = [" ", " \\\n", "\t"]
STRINGS = [r'"a" "b"', r"r'\d'", r'f"{x}:1"', '"""a\nb"""', r"'\x41\u00e9\n'", "b'1'", 'rb"x"', "''", r"'\N{BULLET}'", '"\\\n1"',
           'f"{a!r:>{w}}"', 'u"x"', "f'''{\n1}'''", r"'\8'", r"'\777'", '"é"', "'a' f'{b}'", "'\\''", '"""\\""""']
NUMBERS = ["0x1F", "1_000", "1e3", "3j", "0b1", "-1", ".5", "10", "0o7", "1.", "- 2", "+1", "~1"]
WORDS = ["lambda a, gpu=1: a", "(yield)", "[x for x in y if f(gpu=2)]", "{**a, 'b': f(c=1)}", "a if b else c", "not a", "(a := 1)",
         "await_", "print", "match", "type", "x[1:2, ...]", "*a", "a @ b", "a.b(c)(d=1)", "...", "None", "a<b>c", "{1, 2}", "case"]
LINES = ["@task(requests=Resources(gpu='1'))", "async def f(a: g(b=1) = h(c=2), *, d=3) -> e(f=4): return g(h=5)", "if x: y(z=1)",
         "class A(B, metaclass=C): d = e(f='1')", "with a(b=1) as c: d(e=2)", "x: int = f(a=1)", "for a in b(c=1): d(e=2)",
         "try: a(b=1)\nexcept C: d(e=2)\nfinally: f(g=3)", "a = b = c(d=1); e(f=2)", "del a, b", "assert f(a=1), g(b=2)",
         "lambda: f(x=1)", "raise E(a=1) from f(b=2)", "match x(a=1):\n  case {'b': c}: d(e=2)", "global gg", "return_ = f(a=1)",
         "x = f(a=1)[g(b=2)](c=3)", "x += f(a=1)", "@a.b[0](c=1)\n@d\ndef e(): ...", "x[f(a=1)].b = c(d=2)", "print(*a, b=1, **c(d=2))"]


def change(text, rng):
    """The text with one to three changes."""
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return text
    if not tokens:
        return text
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    edits = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        token = rng.choice(tokens)
        begin, end = (starts[row - 1] + column for row, column in (token.start, token.end))
        kind = rng.randrange(9)
        if kind < 3:
            edits.append((begin, begin, rng.choice(WITHIN if kind else BETWEEN)))
        elif kind == 3 and token.type == tokenize.STRING:
            edits.append((begin, end, rng.choice(STRINGS)))
        elif kind == 4 and token.type in (tokenize.NUMBER, tokenize.STRING):
            edits.append((begin, end, rng.choice(NUMBERS + WORDS)))
        elif kind == 5 and rng.random() < 0.3:
            edits.append((begin, end, ""))
        elif kind == 6 and rng.random() < 0.3:
            edits.append((begin, end, rng.choice(tokens).string))
        elif kind == 7 and token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING):
            edits.append((begin, end, f"({token.string})"))
        else:
            line = lines[token.start[0] - 1]
            indent = line[:len(line) - len(line.lstrip())]
            more = "".join(indent + part + "\n" for part in rng.choice(LINES).split("\n"))
            edits.append((starts[token.start[0] - 1], starts[token.start[0] - 1], more))
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gpulint")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    asked = parser.parse_intermixed_args()
    warnings.simplefilter("ignore")
    files = sorted(path for folder in asked.folders or FOLDERS for path in folder.rglob("*.py"))
    rng = random.Random(asked.seed)
    same = refused = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mutant.py"
        for number in range(asked.count):
            original = files[number % len(files)]
            mutant = change(original.read_bytes().decode(errors="replace").replace("\r", ""), rng).encode()
            path.write_bytes(mutant)
            ran = subprocess.run([asked.gpulint, "debug", "spans", path], capture_output=True, text=True, timeout=20, check=False)
            if ran.returncode != 0:
                wrong.append((number, original, f"status {ran.returncode}", mutant))
                continue
            try:
                kept, seen = kept_by_reader(mutant)
            except (SyntaxError, ValueError, RecursionError):
                refused += 1
                continue
            told = seen_by_gpulint(ran.stdout)
            if kept - told or told - seen:
                wrong.append((number, original, f"missing {sorted(map(str, kept - told))[:3]}, "
                              f"too much {sorted(map(str, told - seen))[:3]}", mutant))
            else:
                same += 1
    for number, original, why, mutant in wrong[:20]:
        kept_as = pathlib.Path(tempfile.gettempdir()) / f"python-mutant-{asked.seed}-{number}.py"
        kept_as.write_bytes(mutant)
        print(f"{kept_as} (of {original}): {why}")
    print(f"{same} are read as CPython does, {len(wrong)} are not, {refused} are no Python (seed {asked.seed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

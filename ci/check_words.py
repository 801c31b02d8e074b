#!/usr/bin/env python3
"""Finds words that readers stumble over, in documentation, in the messages of the program and in the comments of headers.

usage: check_words.py [ROOT]; prints each place with what to write instead, and exits with 1 if there are any. Reads Markdown
without code, the manual, descriptions of actions and hooks, and of the program string literals and comments of headers.
"""
import pathlib
import re
import sys

PATTERNS = [(re.compile(pattern.replace(" ", r"\s{1,12}"), re.I), advice) for pattern, advice in (
    (r"[«»]", "straight quotation marks or backticks"),
    (r"—", "two sentences"),
    (r"\b(?:is|are|was|were|be|been|being) (?:not )?told\b", "is configured with, is set to, reports"),
    (r"\btold (?:of|to|that|apart|likewise|once)\b", "reported, configured"),
    (r"\bstands?\b(?! for itself)", "is in, is at"),
    (r"\bnobody\b", "name who: Kubernetes, the provider, you"),
    (r"\bnothing reads\b", "Kubernetes ignores it (name the reader)"),
    (r"\bwants?\b", "requests, requires"),
    (r"\bask(?:s|ed)? for\b", "requests, requires"),
    (r"\b(?:go|goes|went) by\b", "uses"),
    (r"\b(?:is|are) given\b", "receives, inherits"),
    (r"\bbesides?\b", "next to, with, in addition to"),
    (r"\bfor want of\b", "because … is missing"),
    (r"\bof (?:which|whom)\b", "a second sentence"),
    (r"\bso that\b", ", so; or two sentences"),
    (r"\blets?\b[^.]{0,30}? in\b", "admits, accepts"),
    (r"\b(?:keep|keeps|kept|keeping)(?: \w+){0,3} off\b", "does not tolerate, is rejected by"),
    (r"\bjudg(?:e|es|ed|ing|ement)\b", "check, compare"),
    (r"\b(?:hold|holds|held)(?: \w+){0,3} against\b", "compare with"),
    (r"\bspeaks? (?:of|for)\b", "is about, shows"),
    (r"(?<!\bthere) (?:is|are) no (?=[a-z])(?!longer|more)", "is not a"),
    (r"\blikewise\b", "also"),
    (r", too\b(?=[,.;:)])", "also"),
    (r"\bwhat is known of\b", "known"),
    (r"\b(?:for ever|in truth|worth a look)\b", "no drama"),
    (r"\bof (?:Flyte|Kueue|NVIDIA|Kubernetes|Karpenter|Helm|Volcano|kustomize|Argo)'s\b(?! [\w`]|, [A-Z])", "Flyte's … (the owner first)"),
    (r"\bto blame\b", "the cause"),
    (r"\bmend(?:s|ed|ing)?\b", "correct"),
)]

EXCEPTIONS = {}  # "file: words" that stay, and why

SOURCES = ("backends", "compiler", "frontend", "rules")
GENERATED = "docs/reference/rules"
FENCED = re.compile(r"^( *)```.*?^\1```[^\n]*$", re.S | re.M)
INLINE_CODE = re.compile(r"`[^`\n]*`")
CPP_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\\n])+\'', re.S)
DESCRIPTION = re.compile(r"^ *(?:description|name|shortHelp): (.*)$", re.M)


def blank(match):
    """Only the line breaks of the text, which keep the numbers of lines."""
    return "\n" * match[0].count("\n")


def prose_of_markdown(text):
    return INLINE_CODE.sub("``", FENCED.sub(blank, text))


def strings_of_cpp(text):
    """The literals that are sentences, each with its line; literals side by side are one."""
    pieces, last_end, line, counted = [], None, 1, 0
    for match in CPP_TOKEN.finditer(text):
        literal = match[2] if match[2] is not None else match[3]
        if literal is None:
            continue
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        if last_end is not None and not text[last_end:match.start()].strip():
            pieces[-1][1] += literal
        else:
            pieces.append([line, literal])
        last_end = match.end()
    return [(line, INLINE_CODE.sub("``", literal)) for line, literal in pieces if " " in literal.strip()]


def comments_of_header(text):
    """Comments of adjacent lines, each block with its line."""
    pieces, last = [], None
    for number, line in enumerate(text.split("\n"), 1):
        _, mark, comment = line.partition("//")
        if not mark:
            continue
        comment = INLINE_CODE.sub("``", comment.lstrip("/<"))
        if last == number - 1:
            pieces[-1][1] += "\n" + comment
        else:
            pieces.append([number, comment])
        last = number
    return pieces


def descriptions_of_yaml(text):
    return [(text.count("\n", 0, match.start()) + 1, match[1]) for match in DESCRIPTION.finditer(text)]


def texts(root):
    """Each file with its prose: pieces of text, each with the line where it begins."""
    for path in sorted(root.rglob("*.md")):
        name = path.relative_to(root).as_posix()
        if not re.match(r"(?:build|dist|\.git)/|.*/node_modules/|" + GENERATED, name) and "/backends/" not in name:
            yield name, [(1, prose_of_markdown(path.read_text()))]
    for name in ("action.yml", ".pre-commit-hooks.yaml"):
        yield name, descriptions_of_yaml((root / name).read_text())
    yield "docs/gpulint.1", [(1, re.sub(r"\\f[A-Z]|\\", "", (root / "docs/gpulint.1").read_text()))]
    for top in SOURCES:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".cpp", ".h"):
                text = path.read_text()
                comments = comments_of_header(text) if path.suffix == ".h" else []
                yield path.relative_to(root).as_posix(), strings_of_cpp(text) + comments


def findings(root):
    found = []
    for name, pieces in texts(root):
        for first, text in pieces:
            for pattern, advice in PATTERNS:
                for match in pattern.finditer(text):
                    words = " ".join(match[0].split())
                    if f"{name}: {words}" not in EXCEPTIONS:
                        line = first + text.count("\n", 0, match.start())
                        found.append((name, line, f"`{words}`: {advice}"))
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    wrong = [f"{name}:{line}: {what}" for name, line, what in sorted(findings(root))]
    print("\n".join(wrong) if wrong else "words: nothing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

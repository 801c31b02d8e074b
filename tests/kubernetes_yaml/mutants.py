"""Damages real YAML and JSON files at random, the same way for the same seed.

Texts are str with bytes that are no UTF-8 as lone surrogates (`surrogateescape`).
"""
import json
import pathlib
import random
import re

import yaml

ENTRY = re.compile(r"^(\s*(?:- )*)([^\s#:'\"{\[&*!|>%@`-][^\s:]*):(?: +(\S.*))?$")

# Halves of surrogate pairs that stand for no byte.
UNWRITABLE = re.compile("[\ud800-\udc7f\udd00-\udfff]")

SCALARS = """.inf|-.Inf|.nan|0o17|0b11|1_000|1__0|1e3|12e03|1e|1.|.5|+1|0x1F|010|08|190:20:30|2001-01-01|~|null|NULL|yes|True|y
=|<<|-|- -|- a|?|? a|:|: a|a:b|a: b|a #b|#b|@x|`x`|%x|!|&|*|\\||>|''|""|'it''s'|'it's'|"a\\\\"|{{ x }}|"{{ x }}"|x{{ y }}|${x}
[${x}a]|<% x %>|%{ if x }|{user}/x|@NAME@|9223372036854775808|-0|1e999|0x|[]|{}|a, b|[a|{a|a]|a}|a\tb|"a\tb"|'|"|,|a,|*a b|&a
!!null|!!str|!|-.5|+.inf|1:2|- [|--- a|... a|a ? b|a - b|?x|-x|:x|0.10|1_|_1|0_1|1.5e+3|0b|123456789012345678901234567890"""
SCALARS = re.split(r"(?<!\\)\||\n", SCALARS)
SCALARS = [scalar.replace("\\|", "|") for scalar in SCALARS]

FLOWS = [
    "{a: 1, b: [x, y]}", "{a, b: }", "[a: 1]", '{"a":1}', '{"a":"b","c":[1,2]}', "[,]", "{,}", "[a,,b]", "[a, ]", "{a: 1,}",
    "{? a : b}", "[? a : b]", "{? a}", "[a, [b, {c: d}]]", "{a: [}", "[{a]}", "{a: b: c}", "[a b, c]", "{'a':1}", "{a:1}",
    "{a:1, b}", "[a,b,]", "{a: 'b', \"c\": \"d\"}", "[*a]", "[&a b, *a]", "{<<: {x: y}, a: b}", "{<<: [{x: y}, {z: 1}]}",
    "{<<: 1}", "{[a]: b}", "{{a: b}: c}", "[!!str 1, ! 2]", "{a: |}", "[- a]", "{- a: b}", "[a: b, c: d]", "{a: \n b}", "[a\n]",
    "[a,\n  b]", "{a: 1,\n b: 2}", "[a #b\n]", "[a, # b\n  c]", "{a: b\n}", "[\n- a\n]", "['a'b]", "{\"a\"b: c}", "[a]b", "{a}: b",
    "[a]: b", "{a: {user}/x}", "{a: -}", "[-]", "[-1, - 1]", "[?]", "[:]", "{a: :}", "{: a}", "{:a}", "[:a]", "[a:]", "{a:}", "{a: b}, c",
    "{\"a\":b}", "{\"a\":\n1}", "[\"a\":1]", "[%a]", "[@a]", "[a%b, a@b]", "{a: \"b}", "[\t]", "{\ta:\tb\t}", "[a,\n\tb]", "{a: [b, c}]",
]

ESCAPES = r'\/ \x41 \u00e9 \U0001F600 \ud83d\ude00 \ud83d \N \_ \L \P \e \0 \a \b \v \f \" \\ \z \' \q \x4 \u12 \U00110000 \n \r \t \u0000 \x80'
ESCAPES = ESCAPES.split() + ["\\ ", "\\\n", "\\\n  ", "\\\t", "\n", "\n\n", " \n ", "\n---\n", "\n# c\n", "\r\n"]

TAGS = """!!str !!int !!float !!bool !!null !!map !!seq !!binary !!timestamp !!set !!merge !!omap ! !a !a!b !<tag:yaml.org,2002:str>
!<!a> !<a> !!STR !! !e!x !<tag:yaml.org,2002:int> !<a !%41 !!st%72""".split()

BLOCKS = ["|", ">", "|-", ">-", "|+", ">+", "|2", ">1", "|2-", "|-2", "|+1", "|0", "|10", "|--", "| # c", "|# c", ">x", "| x", "|\t",
          "&a |", "!!str |-", "&a !!str >", "|9", "! |", "!!binary |", "|  "]

MARKERS = ["---", "...", "--- # c", "---\t# c", "--- |", "--- >-", "---x", " ---", "--- {a: 1}", "--- a", "--- !!map", "--- &a", "----",
           "%YAML 1.1\n---", "%YAML 1.2\n---", "%YAML 2.0\n---", "%YAML 1.1", "%TAG !e! tag:e,2000:\n---", "%FOO bar\n---", "... # c",
           "...x", "... a", "---\n---", "---\n...", "...\n...", "---\n# c\n---", "# c\n---", "--- ", "---\r", "--- 'a'", "--- [a]",
           "%YAML 1.1 # c\n---", "%YAML 1.1\n%YAML 1.1\n---", "%\n---", "---#c", "--- - a", "--- a: b", "---\t", "..."]

ODD = ["\u0085", "\u2028", "\u2029", "\u00a0", "\ufeff", "\u200b", "\u3000", "\u00e9", "\U0001f600", "\ufffe", "\uffff", "\ufffd", "\x00",
       "\x01", "\x07", "\x0b", "\x0c", "\x1b", "\x7f", "\u0080", "\u009f", "\udcff", "\udcc3", "\udcc0\udc80", "\udced\udca0\udc80",
       "e\u0301", "\u202e", "\r", "\t", "\udcf4\udc90\udc80\udc80", "\ud7ff", "\ue000", "\U0010ffff", "\u0600"]

PUNCTUATION = list("{}[],:&*!|>'\"%@`#?-\\ \t\n~=<$/.") + [": ", " #", "- ", "? ", "{{", "}}", "\n\n", "''", '""', ": |", "<<: "]


class Mutator:
    """Damages texts; `sources` are what pieces of others are taken from."""

    def __init__(self, seed, sources):
        self.random = random.Random(seed)
        self.sources = sources
        self.kinds = sorted(name for name in dir(self) if name.startswith("do_"))

    def mutant(self, longest):
        """A damaged piece of some source and the names of what was done to it."""
        text = self.piece(longest)
        kinds = [self.random.choice(self.kinds) for _ in range(self.random.choice([1, 1, 1, 2, 2, 3]))]
        for kind in kinds:
            text = getattr(self, kind)(text)
        return UNWRITABLE.sub("\ufffd", text), [kind[3:] for kind in kinds]

    def piece(self, longest):
        """A source, or where it is long some lines of it from one without indentation on."""
        text = self.random.choice(self.sources)
        if len(text) <= longest:
            return text
        lines = text.splitlines(keepends=True)
        starts = [i for i, line in enumerate(lines) if line[0] not in " \t#\n}]"]
        at = self.random.choice(starts or [0])
        result = ""
        for line in lines[at:]:
            if len(result) + len(line) > longest:
                break
            result += line
        return result or text[:longest]

    # Helpers: places to damage.

    def pick(self, choices):
        return self.random.choice(choices)

    def change_line(self, text, change, fits=lambda line: line.strip()):
        lines = text.split("\n")
        fitting = [i for i, line in enumerate(lines) if fits(line)]
        if fitting:
            at = self.pick(fitting)
            lines[at] = change(lines[at])
        return "\n".join(lines)

    def change_value(self, text, change):
        """`change` of one `key: value` of the text's; of a list's item now and then."""
        def changed(line):
            match = ENTRY.match(line)
            if not match:
                head, item = line.split("- ", 1)
                return f"{head}- {change(item)}"
            return f"{match[1]}{match[2]}: {change(match[3] or '')}"
        return self.change_line(text, changed, lambda line: ENTRY.match(line) or line.lstrip().startswith("- "))

    def insert(self, text, what):
        at = self.random.randint(0, len(text))
        return text[:at] + what + text[at:]

    def insert_line(self, text, what):
        lines = text.split("\n")
        lines.insert(self.random.randint(0, len(lines)), what)
        return "\n".join(lines)

    def indentation(self, line):
        return line[:len(line) - len(line.lstrip(" "))]

    # What can be done to a text.

    def do_truncate(self, text):
        return text[:self.random.randint(0, len(text))]

    def do_delete_lines(self, text):
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        del lines[at:at + self.pick([1, 1, 1, 2, 5])]
        return "\n".join(lines)

    def do_duplicate_lines(self, text):
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        taken = lines[at:at + self.pick([1, 1, 2, 3])]
        to = self.pick([at, self.random.randrange(len(lines))])
        lines[to:to] = taken
        return "\n".join(lines)

    def do_swap_lines(self, text):
        lines = text.split("\n")
        a = self.random.randrange(len(lines))
        b = self.pick([self.random.randrange(len(lines)), max(0, a - 1)])
        lines[a], lines[b] = lines[b], lines[a]
        return "\n".join(lines)

    def do_indent(self, text):
        by = self.pick([-4, -3, -2, -1, 1, 2, 3])
        return self.change_line(text, lambda line: line[-by:] if by < 0 and not line[:-by].strip() else " " * by + line)

    def do_indent_block(self, text):
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        by = self.pick([-2, -1, 1, 2, 4])
        for i in range(at, min(len(lines), at + self.random.randint(2, 8))):
            lines[i] = lines[i].removeprefix(" " * -by) if by < 0 else " " * by + lines[i]
        return "\n".join(lines)

    def do_tab(self, text):
        def changed(line):
            indentation = self.indentation(line)
            rest = line[len(indentation):]
            return self.pick([
                "\t" + line, indentation + "\t" + rest, indentation[:-1] + "\t" + rest, "\t" + rest, line + "\t",
                line.replace(": ", ":\t", 1), line.replace("- ", "-\t", 1), line.replace(" ", " \t", 1), line + " \t# c", "\t",
                line.replace(", ", ",\t"), line.replace(": ", "\t: ", 1), line.replace(": ", ": \t", 1)])
        return self.change_line(text, changed)

    def do_unquote(self, text):
        places = [match.start() for match in re.finditer("['\"]", text)]
        if not places:
            return self.do_quote(text)
        at = self.pick(places)
        return text[:at] + text[at + 1:]

    def do_quote(self, text):
        mark = self.pick("'\"")
        return self.change_value(text, lambda value: self.pick([
            f"{mark}{value}{mark}", f"{mark}{value}", f"{value}{mark}", f"{mark}{value}{mark}x", f"{mark}{value}{mark} # c",
            f"{mark}{value}{mark}#c", f"{mark}{value}\n    x{mark}", f"{mark}{value}\nx{mark}", f"{mark}{value}\n\n  x {mark}"]))

    def do_bracket(self, text):
        return self.insert(text, self.pick("{}[],"))

    def do_anchor(self, text):
        def changed(value):
            return self.pick([f"&a {value}", f"&a {value}", "*a", "*a ", f"&a\n{' ' * self.random.randint(0, 6)}{value}", f"&a-b.c {value}",
                              f"&a &b {value}", f"&a *a", f"&a\t{value}", "&a", f"& {value}", "*", f"&é {value}", f"&a: {value}",
                              f"*a # c", "&a # c", f"&a !!str {value}", f"!!str &a {value}", f"&a, {value}", f"&a] {value}"])
        text = self.change_value(text, changed)
        if self.random.random() < 0.6:
            text = self.change_line(text, lambda line: self.pick([
                self.indentation(line) + "x: *a", self.indentation(line) + "*a : x", self.indentation(line) + "*a: x",
                self.indentation(line) + "<<: *a", self.indentation(line) + "<<: [*a, *a]", self.indentation(line) + "- *a",
                self.indentation(line) + "&a " + line.lstrip(" "), self.indentation(line) + "? *a\n" + line,
                self.indentation(line) + "&b\n" + line, line + "\n" + self.indentation(line) + "<<: *a"]))
        return text

    def do_tag(self, text):
        tag = self.pick(TAGS)
        if self.random.random() < 0.3:
            return self.change_line(text, lambda line: self.pick([
                self.indentation(line) + tag + " " + line.lstrip(" "), self.indentation(line) + tag + "\n" + line, line + " " + tag]))
        return self.change_value(text, lambda value: self.pick([
            f"{tag} {value}", f"{tag} {value}", f"{tag}", f"{tag} '{value}'", f"{tag} {tag} {value}", f"{tag}{value}", f"{tag}\n   {value}"]))

    def do_block_scalar(self, text):
        head = self.pick(BLOCKS)
        def changed(value):
            indentation = " " * self.random.randint(0, 10)
            return self.pick([head, f"{head}\n{indentation}{value}", f"{head}\n{indentation}{value}\n\n{indentation} x",
                              f"{head}\n{indentation}{value}\n{indentation}# c\n", f"{head}\n\n{indentation}  \n{indentation}{value}",
                              f"{head}\n\t{value}", f"{head}\n{indentation}\t{value}", f"{head}\n{indentation}{value}\n \t\n"])
        return self.change_value(text, changed)

    def do_comment(self, text):
        if self.random.random() < 0.3:
            return self.insert_line(text, " " * self.random.randint(0, 8) + self.pick(["# c", "#", "#c: d", "# 'c", "\t# c"]))
        return self.change_line(text, lambda line: self.pick([line + " # c", line + "# c", line + "\t# c", "# " + line, "#" + line,
                                                              line.replace(": ", ": # ", 1), line + " #", line.replace(" ", " #", 1)]))

    def do_line_end(self, text):
        return self.pick([
            lambda: text.replace("\n", "\r\n"), lambda: text.replace("\n", "\r"), lambda: text.rstrip("\n"), lambda: text + "\n\n",
            lambda: self.change_line(text, lambda line: line + "\r"), lambda: self.change_line(text, lambda line: line + "\r\r"),
            lambda: text.rstrip("\n") + "\r", lambda: text.replace("\n", "\u0085"), lambda: text.replace("\n", "\n\r"),
            lambda: text + "   ", lambda: text + "\t", lambda: "\n" + text, lambda: "  \n" + text, lambda: "\t\n" + text])()

    def do_mark(self, text):
        if self.random.random() < 0.15:
            return text.encode("utf-16-" + self.pick(["le", "be"]), "replace").decode("utf-8", "surrogateescape")
        return self.pick([
            lambda: "\ufeff" + text, lambda: "\ufeff\ufeff" + text, lambda: "\ufeff---\n" + text, lambda: "---\n\ufeff" + text,
            lambda: self.change_line(text, lambda line: "\ufeff" + line), lambda: "\ufeff\n" + text, lambda: " \ufeff" + text,
            lambda: "\ufeff# c\n" + text, lambda: text + "\ufeff", lambda: text + "---\n\ufeff" + text[:200], lambda: "\n\ufeff" + text])()

    def do_escape(self, text):
        value = "".join(self.pick(["", "a", " "]) + self.pick(ESCAPES) for _ in range(self.pick([1, 1, 2, 3]))) + self.pick(["", "b"])
        return self.change_value(text, lambda _: self.pick([f'"{value}"', f'"{value}"', f"'{value}'", value, f'["{value}"]']))

    def do_marker(self, text):
        return self.insert_line(text, self.pick(MARKERS))

    def do_marker_at_edge(self, text):
        marker = self.pick(MARKERS)
        return self.pick([f"{marker}\n{text}", f"{text}\n{marker}", f"{text}{marker}\n", f"{text}{marker}\n{text[:100]}",
                          f"{marker} {text}", f"# c\n{marker}\n{text}"])

    def do_flow(self, text):
        return self.change_value(text, lambda value: self.pick([self.pick(FLOWS)] * 3 + [
            f"[{value}]", f"{{a: {value}}}", f"[{value},", f"{{{value}}}", f'["{value}", {value}]', f'{{"a":{value}}}']))

    def do_scalar(self, text):
        return self.change_value(text, lambda _: self.pick(SCALARS))

    def do_key(self, text):
        def changed(line):
            match = ENTRY.match(line)
            head, key, value = match[1], match[2], match[3] or ""
            blank = " " * len(head)
            return head + self.pick([
                f"? {key}\n{blank}: {value}", f"? {key}", f"? [{key}]\n{blank}: {value}", f'"{key}": {value}', f"'{key}' : {value}",
                f"{key} : {value}", f": {value}", f"1: {value}", f"null: {value}", f"~: {value}", f"[{key}, b]: {value}",
                f"{{{key}: b}}: {value}", f"true: {value}", f"1.5: {value}", f"<<: {value}", f"<<: [{{x: {value}}}]", f"<<: {{x: y}}",
                f"{key}:{value}", f"{key}: b: {value}", f"{key}:", f"{key}", f"? {key} : {value}", f"{key}: {value}\n{blank}{key}: {value}",
                f"? |\n{blank}  {key}\n{blank}: {value}", f"{key} {'x' * 1030}: {value}", f"!!str {key}: {value}", f"&a {key}: {value}",
                f"?\n{blank}: {value}", f"? - {key}\n{blank}: - {value}", f".inf: {value}", f"2001-01-01: {value}", f"0x10: {value}",
                f'"{key}"x: {value}', f'"{key}":{value}', f"'{key}\n  x': {value}", f"{key}\n{blank}x: {value}", f"*a : {value}", f"=: {value}",
                f"? {key}: {value}", f"- {key}: {value}", f"? ? {key}", f"!!null : {value}", f"? {{{key}: {value}}}", f"'': {value}"])
        return self.change_line(text, changed, ENTRY.match)

    def do_splice(self, text):
        lines = self.pick(self.sources).split("\n")
        at = self.random.randrange(len(lines))
        return self.insert_line(text, "\n".join(lines[at:at + self.random.randint(1, 4)]))

    def do_join_lines(self, text):
        places = [match.start() for match in re.finditer("\n", text)]
        if not places:
            return text
        at = self.pick(places)
        return text[:at] + self.pick(["", " ", ", "]) + text[at + 1:].lstrip(self.pick([" ", ""]))

    def do_break_line(self, text):
        places = [match.start() for match in re.finditer("[ :,]", text)]
        if not places:
            return text
        at = self.pick(places) + self.pick([0, 1])
        return text[:at] + "\n" + " " * self.random.randint(0, 8) + text[at:]

    def do_characters(self, text):
        if self.random.random() < 0.5:
            return self.insert(text, self.pick(PUNCTUATION))
        at = self.random.randint(0, len(text))
        return text[:at] + text[at + self.pick([1, 1, 2, 5]):]

    def do_odd_character(self, text):
        odd = self.pick(ODD)
        return self.pick([lambda: self.insert(text, odd), lambda: self.change_value(text, lambda value: self.pick([
            odd, value + odd, odd + value, f'"{value}{odd}"', f"'{odd}'", f"{value} # {odd}", f"|\n          {odd}", value + odd + "x"]))])()

    def do_blank_line(self, text):
        return self.insert_line(text, self.pick(["", " ", "        ", "\t", "  \t", "\r"]))

    def do_nest(self, text):
        deep = self.pick([3, 20, 90, 120, 250])
        return self.change_value(text, lambda value: self.pick([
            "[" * deep + "]" * deep, "{a: " * deep + "1" + "}" * deep, "[" * deep, "[" * deep + "]" * (deep - 1), "- " * deep + "a"]))

    # JSON: what the text means, written as JSON, whole or damaged; nothing where it means nothing.

    def as_json(self, text):
        if text.count("&") > 3:  # perhaps a bomb of aliases
            return []
        try:
            values = [value for value in yaml.safe_load_all(text) if isinstance(value, dict)]
            return [json.dumps(value, indent=self.pick([None, 2, "\t"]), ensure_ascii=False) for value in values]
        except Exception:  # PyYAML has many ways to fail
            return []

    def do_json(self, text):
        values = self.as_json(text)
        return "\n---\n".join(values) + self.pick(["", "\n"]) if values else text

    def do_json_damage(self, text):
        values = self.as_json(text)
        if not values:
            return text
        value = self.pick(values)
        places = [match.start() for match in re.finditer(r'["{}\[\]:,]', value)]
        at = self.pick(places)
        token = self.pick(["", ",", "]", "}", "//c\n", "/* c */", "#c\n", " # c\n", "'", "NaN", "01", "\\u12", "tru", "\n", "\t", "\ufeff", "\\/",
                           "\\ud800", "1e999", "-", "0x1", "\"a\":1,", "{", "null", "\x01", "\u2028", "1.", "\\x41", "\n---\n"])
        return value[:at] + token + value[at + self.pick([0, 1]):]

    def do_json_stream(self, text):
        values = self.as_json(text)
        if not values:
            return text
        between = self.pick(["", "\n", " ", "\n\n", ",", ",\n", "\n---\n", "---\n", "\n...\n", "\n# c\n", "\t", ";", "\r\n", "\n--- # c\n", "\ufeff"])
        values = (values + ['{"a": 1}', "{}", '{"b": [1, 2]}'])[:self.pick([2, 3, 4])]
        end = self.pick(["", "", "\n", "}", "x", "\n---\na: 1\n", "\na: 1\n", "null", "[1]", "\n[1]", "#c", "\n# c\n", "\n---\n", ",", "1", "\"a\"",
                         "\n\n\na: 1\n", " a: 1", "\n...\n", "{", "\x00", "\n{a: 1}\n", "\n---\n{a: 1}\n", "\n---\n{\"a\": 1}\n"])
        return self.pick(["", "", "", "---\n", "# c\n", "\n", " ", "\ufeff"]) + between.join(values) + end


def read_sources(folders):
    """The YAML and JSON files below the folders, in the order of their paths."""
    paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")
                   if path.suffix in (".yaml", ".yml", ".json") and path.is_file() and path.stat().st_size < 200_000)
    texts = [path.read_bytes().decode("utf-8", "surrogateescape") for path in paths]
    return [text for text in texts if text.strip()]

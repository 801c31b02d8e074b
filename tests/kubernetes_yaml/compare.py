"""Holds what gpulint reads from texts against what Kubernetes reads from them."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

# How many texts gpulint gets in one run.
BATCH = 1000


def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def ask_kubernetes(reader, texts):
    """What the Go program `reader` answers for each text."""
    data = b"".join(b"%d\n%s" % (len(raw), raw) for raw in map(to_bytes, texts))
    ran = subprocess.run([reader], input=data, stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in ran.stdout.decode().split("\n") if line]
    assert len(answers) == len(texts), f"{len(answers)} answers for {len(texts)} texts"
    return answers


def ask_batch(gpulint, texts, folder):
    """For each text the documents that gpulint reads and the ids of what it says about reading them."""
    names = [f"{i:04}.yaml" for i in range(len(texts))]
    for name, text in zip(names, texts):
        pathlib.Path(folder, name).write_bytes(to_bytes(text))
    shown = subprocess.run([gpulint, "debug", "json", *names], cwd=folder, capture_output=True, check=False)
    said = subprocess.run([gpulint, "check", "--no-config", "--select", "reading", "--format", "json", *names], cwd=folder,
                          capture_output=True, check=False)
    assert shown.returncode in (0, 1) and said.returncode in (0, 1), (shown.stderr + said.stderr).decode()[-2000:]
    seen = {name: {"documents": [], "unstable": False, "ids": set(), "messages": []} for name in names}
    current = None
    for line in shown.stdout.decode("utf-8", "surrogateescape").split("\n"):
        if line.startswith("==> ") and line.endswith(" <=="):
            current = seen[line[4:-4]]
        elif line and line != "null":
            current["documents"].append(json.loads(line))
    for line in shown.stderr.decode("utf-8", "surrogateescape").split("\n"):
        if line[4:10] == ".yaml:":
            one = seen[line[:9]]
            one["unstable"] |= line.endswith("two keys become the same key; either value may win")
            if "strict parsers reject this" not in line:
                one["messages"].append(line[10:])
    for finding in json.loads(said.stdout)["diagnostics"]:
        seen[finding["file"]]["ids"].add(finding["id"])
    return [seen[name] for name in names]


def ask_gpulint(gpulint, texts):
    gpulint = os.path.abspath(gpulint)
    seen = []
    for at in range(0, len(texts), BATCH):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            seen += ask_batch(gpulint, texts[at:at + BATCH], folder)
    return seen


def normal(value, is_ended):
    """A value in which equal numbers are equal however they are written. A string's lone surrogate is U+FFFD, as in Go. Kubernetes'
    reader ends the last line of a text, so that where it `is_ended` there only, line feeds at the end of strings do not count."""
    if isinstance(value, dict):
        return {normal(key, is_ended): normal(item, is_ended) for key, item in value.items()}
    if isinstance(value, list):
        return [normal(item, is_ended) for item in value]
    if isinstance(value, str):
        text = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
        return text if is_ended else text.rstrip("\n")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return ("number", float(value))
    return value


def verdict(kubernetes):
    """`refused`; `ignored`: only part of the text was looked at; `read`."""
    return "refused" if "error" in kubernetes else "ignored" if kubernetes.get("ignored") else "read"


def difference(text, kubernetes, gpulint):
    """How gpulint's reading of a text contradicts Kubernetes'; empty where it does not."""
    ids = gpulint["ids"]
    if verdict(kubernetes) == "refused":
        return "" if ids else f"refused by Kubernetes ({kubernetes['error']}), silence here"
    if verdict(kubernetes) == "ignored":
        return "" if ids else "text behind a document is ignored by Kubernetes, silence here"
    if "yaml-syntax" in ids and gpulint["messages"]:  # without: YAML inside a string, which Kubernetes does not read
        return f"read by Kubernetes, yaml-syntax here: {'; '.join(gpulint['messages'])}"
    if ids - {"yaml-syntax"} or gpulint["unstable"]:
        return ""
    is_ended = text.endswith("\n")
    if normal(kubernetes["documents"], is_ended) != normal(gpulint["documents"], is_ended):
        return f"another value: Kubernetes {json.dumps(kubernetes['documents'])}, here {json.dumps(gpulint['documents'])}"
    return ""


# A tag that goes on behind a comma or bracket.
LONG_TAG = re.compile(r"![^\s<]*[,\[\]]")
NO_YAML = re.compile("is not valid UTF-8|is not allowed in YAML")
# What YAML 1.1 takes for line breaks and YAML 1.2 for letters.
OTHER_BREAKS = re.compile("[\u0085\u2028\u2029]")
# Valid YAML that has no form in JSON, and a separator that is valid YAML: refused by kubectl, read by others.
KUBERNETES_ONLY = re.compile("invalid map key|unsupported map key|unsupported value|cannot decode|!!binary value|map merge requires|"
                             "invalid Yaml document separator|looking for beginning of object key string")
KEYS_OF_OBJECTS = [re.compile(f"^{key}:", re.M) for key in ("apiVersion", "kind")]
# An item that the Go reader takes for a key without a value: `[?a]`.
LONE_KEY = re.compile(r"[\[,]\s*\?[^\s:,?{}\[\]]+\s*[],]")
# YAML 1.2 takes the colon of `{a:}` for that of the key; the Go reader has a key `a:`.
COLON_AT_END = re.compile(r":\s*[]},]")


# White space and comments of a line with a tab among them.
TAB_LINE = re.compile(r"^ *\t[ \t]*(#.*)?$", re.M)
DAMAGED_TAG = re.compile("did not find (the )?expected (tag URI|whitespace or line break|'>')")


def has_no_manifest(part):
    return not all(key.search(part) for key in KEYS_OF_OBJECTS)


def is_beside_manifests(text, gpulint):
    """Whether all that gpulint has to say about a text concerns documents without the keys of an object."""
    lines = text.split("\n")
    for message in gpulint["messages"]:
        at = min(int(message.split(":")[0]), len(lines))
        begin = max((i for i in range(at) if lines[i].startswith("---")), default=0)
        end = next((i for i in range(at, len(lines)) if lines[i].startswith("---")), len(lines))
        if not has_no_manifest("\n".join(lines[begin:end])):
            return False
    return bool(gpulint["messages"])


def decoded(text):
    """A text of UTF-16 as the letters that it stands for; any other as it is."""
    raw = to_bytes(text)
    return raw.decode("utf-16", "replace") if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else text


def deviation(raw, kubernetes, gpulint):
    """The name of the reason for which a difference is meant; empty where there is none."""
    text = decoded(raw)
    is_silent = not gpulint["ids"]
    kind = verdict(kubernetes)
    if OTHER_BREAKS.search(text) and (kind != "refused" or "document indicator" in kubernetes["error"]):
        return "line breaks of YAML 1.1"  # yaml-syntax: who reads YAML 1.2 (editors, Flyte) sees another document
    if is_silent and KUBERNETES_ONLY.search(kubernetes.get("error", "")) and any(map(has_no_manifest, re.split(r"^---", text, flags=re.M))):
        return "no manifest"  # may be for a reader that takes it
    if is_silent and kind == "refused" and is_beside_manifests(text, gpulint):
        return "YAML 1.2, no manifest"  # what only Go's readers refuse is an error where they read
    if kind == "refused" and not text.strip("\ufeff \t\r\n"):
        return "blanks"  # a tab among them is no YAML, but nothing is lost
    if "\ufeff" in text[1:] or raw.startswith("\udcfe\udcff\udcfe\udcff"):
        return "byte order mark inside"  # the Go reader drops letters behind a second one
    if (kind != "refused" or is_silent) and "\r" in text.replace("\r\n", ""):
        return "lone carriage return"  # kubectl looks for `---` behind line feeds only: every other reader splits there
    if kind == "ignored" and re.search(r"^\.\.\.(\s|$)", text, re.M):
        return "document behind `...`"  # documentation leaves lines out so, and all other readers read on
    if kind == "refused" and re.search(r"^---[^\n]*\n(#[^\n]*\n|\s)*\.\.\.(\s|$)", text, re.M):
        return "nothing but `...`"  # an empty document to all other readers
    if is_silent and kind == "refused" and re.match(r"\s*\{", text) and re.search(r"^\.\.\.\s*(#.*)?$", text, re.M):
        return "`...` behind JSON"  # the end of a document to readers of YAML; nothing is lost
    if is_silent and kind == "refused" and re.search(r"[]}][ \t\r\n]*(?=#)(?:\s|\S){1,3}$", text):
        return "comment of a letter behind JSON"  # the decoder wants four bytes behind a value
    if kind == "read" and re.match(r"\s*\{", text) and any(NO_YAML.search(m) for m in gpulint["messages"]):
        return "letters of JSON alone"  # the Go reader of JSON takes any bytes, and no reader of YAML does
    if kind == "read" and LONG_TAG.search(text) and "yaml-syntax" in gpulint["ids"]:
        return "tag with a comma"  # ends there for YAML 1.2
    if is_silent and kind == "refused" and re.match(r"\s*\t\s*\[", text):
        return "tab before a bracket"  # JSON, and never a manifest
    if is_silent and kind == "refused" and re.search(r'"\s*\n\s*:', text):
        return "colon on a line of its own"  # JSON to all readers of JSON
    if kind != "ignored" and re.search(r"^---.*\n(.*\n)?---#", text, re.M):
        return "`---#` behind `---`"  # begins a document everywhere else
    if kind == "read" and any("nested more than" in m for m in gpulint["messages"]):
        return "deep nesting"  # a limit, and said to be one
    if kind == "read" and LONE_KEY.search(text) and "yaml-syntax" in gpulint["ids"]:
        return "item that is a lone key"  # a text to YAML 1.2
    if kind == "read" and COLON_AT_END.search(text) and gpulint["ids"] <= {"yaml-syntax"}:
        return "colon before a bracket"
    if is_silent and "cannot start any token" in kubernetes.get("error", "") and TAB_LINE.search(text):
        return "tab in a line of blanks"  # beside JSON or a marker; white space to YAML 1.2
    if is_silent and DAMAGED_TAG.search(kubernetes.get("error", "")) and "!" in text:
        return "damaged tag"  # no reader of manifests asks for tags
    if is_silent and "control characters" in kubernetes.get("error", "") and re.search(r"^\.\.\.\s", text, re.M):
        return "control character behind `...`"
    if kind == "read" and "Infinity" in json.dumps(kubernetes["documents"]):
        return "number beyond a double"  # kept as it is written
    if kind == "read" and re.match(r"\s*\{", text) and re.search(r"^\};", text, re.M) and "yaml-syntax" in gpulint["ids"]:
        return "letters behind JSON"  # the decoder does not look at them
    return ""

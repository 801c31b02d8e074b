#!/usr/bin/env python3
"""Checks pages of `gpulint check --format html`.

Without a browser: elements are closed in order, ids are unique, no element or attribute that this
project does not write itself, nothing is loaded from elsewhere, every link within the page leads
somewhere, and style sheet and script are those whose hashes the page's policy names. In headless Chromium, where there is one: the script runs under
that policy and counts the findings.

usage: check_html.py FILE...      Exit status: 0 good, 1 findings.
"""
import base64
import hashlib
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

VOID = {"meta", "input", "br", "wbr"}
ELEMENTS = VOID | set("""html head title style body a header h1 h2 h3 h4 h5 h6 ul ol li p nav main section form
    label select option button output span code pre mark strong em details summary div table b i u var ins del
    thead tbody tr th td small script dialog dl dt dd kbd""".split())
ATTRIBUTES = set("""lang charset http-equiv content name class href id aria-label aria-labelledby aria-live hidden type
    value checked placeholder tabindex data-severity data-rule data-node role scope title open rel form""".split())
CHROMIUM = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
            "--disable-background-networking --disable-component-update --virtual-time-budget=2000 "
            "--dump-dom").split()


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.problems, self.open, self.ids, self.policy = [], [], set(), ""
        self.links, self.texts = set(), {"script": [], "style": []}
        self.findings = 0
        self.feed(text)
        if self.open:
            self.problems.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        if tag not in ELEMENTS:
            self.problems.append(f"foreign element <{tag}> at {self.getpos()}")
        for name, value in attributes:
            if name not in ATTRIBUTES:
                self.problems.append(f"foreign attribute {name} at {self.getpos()}")
            if name == "href" and not re.match(r"#|https?://", value):
                self.problems.append(f"link to {value} at {self.getpos()}")
            if name == "id" and value in self.ids:
                self.problems.append(f"id {value} twice")
        values = dict(attributes)
        self.ids.add(values.get("id"))
        self.findings += values.get("class", "").split()[:1] == ["finding"]
        if values.get("href", "").startswith("#"):
            self.links.add(values["href"][1:])
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> out of place at {self.getpos()}")

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]].append(data)


def check_policy(page):
    problems = []
    for element, texts in page.texts.items():
        digest = hashlib.sha256("".join(texts).encode()).digest()
        source = f"{element}-src 'sha256-{base64.b64encode(digest).decode()}'"
        if source not in page.policy or len(texts) != 1:
            problems.append(f"the policy lacks {source}, or there are several")
    return problems


def check_links(page):
    return [f"no element has the id {link}" for link in sorted(page.links - page.ids)]


def check_in_browser(path, page):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        print(f"SKIPPED: {path} is not opened in a browser, there is no Chromium")
        return []
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run([browser, *CHROMIUM, f"--user-data-dir={profile}", path.resolve().as_uri()],
                                capture_output=True, text=True, timeout=120)
    expected = f">{page.findings} of {page.findings} findings shown</output>"
    return [] if expected in result.stdout else [f"in the browser there is no {expected}"]


def main():
    failed = False
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        page = Page(path.read_text(encoding="utf-8"))
        for problem in page.problems + check_policy(page) + check_links(page) + check_in_browser(path, page):
            failed = True
            print(f"{path}: {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

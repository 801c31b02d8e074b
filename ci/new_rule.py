#!/usr/bin/env python3
"""Writes the folder of a new rule, with a failing case to start from.

usage: new_rule.py ID CATEGORY "One sentence that says the flaw."
"""
import pathlib
import re
import sys

RULES = pathlib.Path(__file__).parent.parent / "rules"
# An id becomes a C++ name, `-` as `_`; these are taken.
KEYWORDS = set("""alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const consteval
constexpr constinit continue decltype default delete do double else enum explicit export extern false float for friend goto
if inline int long mutable namespace new noexcept not nullptr operator or private protected public register requires return
short signed sizeof static struct switch template this throw true try typedef typeid typename union unsigned using virtual
void volatile while xor and_eq not_eq or_eq xor_eq const_cast dynamic_cast reinterpret_cast static_cast static_assert
thread_local wchar_t co_await co_return co_yield support check""".split())

RULE = '''#include "compiler/engine/rule.h"

namespace gpulint::rules::{symbol} {{
namespace {{

void check(const Corpus& corpus, Reporter& reporter) {{
  for (const Workload& workload : corpus.workloads) {{
    // Return early on what is opaque, then report:
    static_cast<void>(workload);
    static_cast<void>(reporter);
  }}
}}

}}  // namespace

extern constinit const Rule rule{{.info = {{.category = "{category}", .state = RuleState::preview}},
                                 .check = check}};

}}  // namespace gpulint::rules::{symbol}
'''

DOCUMENT = '''{summary}

## Why it matters

TODO

## Bad

```yaml
```

## Good

```yaml
```

## References

- TODO
'''


def categories():
    """Those that some rule has."""
    texts = (path.read_text() for path in RULES.glob("*/rule.cpp"))
    return sorted({match[1] for text in texts if (match := re.search(r'\.category = "([^"]+)"', text))})


def problem_with(rule_id, category, summary):
    """What is wrong with the arguments, or nothing."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule_id) or rule_id.replace("-", "_") in KEYWORDS:
        return f"`{rule_id}` cannot be an id: lower-case words joined by `-`, no C++ keyword"
    if (RULES / rule_id).exists():
        return f"{RULES / rule_id} is there already"
    if category not in categories():
        return f"`{category}` is no category: {', '.join(categories())}"
    if not re.fullmatch(r"[^\s\x00-\x1f][^\x00-\x1f]*\.", summary):
        return "the summary is one line, a sentence that ends with a period"
    return None


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    rule_id, category, summary = sys.argv[1:]
    if problem := problem_with(rule_id, category, summary):
        sys.exit(f"new_rule.py: {problem}")
    folder = RULES / rule_id
    (folder / "cases").mkdir(parents=True)
    words = {"id": rule_id, "symbol": rule_id.replace("-", "_"), "category": category, "summary": summary}
    (folder / "rule.cpp").write_text(RULE.format(**words))
    (folder / "rule.md").write_text(DOCUMENT.format(**words))
    (folder / "policy.cel").write_text("none: TODO: a `finding` in CEL (docs/how-to/admission-policies.md), or why there can be none.\n")
    (folder / "cases" / "the-plain-case.yaml").write_text("# what the rule must find\n")
    print(f"wrote {folder}: write cases, then check(), then run the tests with GPULINT_UPDATE=1")


if __name__ == "__main__":
    main()

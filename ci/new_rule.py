#!/usr/bin/env python3
"""Writes the folder of a new rule, with a failing case to start from.

usage: new_rule.py ID CATEGORY "One sentence that says the flaw."
"""
import pathlib
import re
import sys

RULE = '''#include "compiler/engine/reporter.h"
#include "compiler/engine/rule.h"

namespace gpulint::rules {{
namespace {{

void check(const Corpus& corpus, Reporter& reporter) {{
  for (const Workload& workload : corpus.workloads) {{
    // Return early on what is opaque, then report:
    static_cast<void>(workload);
    static_cast<void>(reporter);
  }}
}}

}}  // namespace

extern constinit const Rule {symbol};
constinit const Rule {symbol}{{
    .info = {{.id = "{id}",
             .category = "{category}",
             .summary = "{summary}",
             .severity = Severity::error,
             .fix = FixAvailability::none}},
    .check = check}};

}}  // namespace gpulint::rules
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


def main():
    if len(sys.argv) != 4 or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", sys.argv[1]):
        sys.exit(__doc__.strip())
    rule_id, category, summary = sys.argv[1:]
    folder = pathlib.Path(__file__).parent.parent / "rules" / rule_id
    if folder.exists():
        sys.exit(f"{folder} is there already")
    (folder / "cases").mkdir(parents=True)
    words = {"id": rule_id, "symbol": rule_id.replace("-", "_"), "category": category,
             "summary": summary}
    (folder / "rule.cpp").write_text(RULE.format(**words))
    (folder / "rule.md").write_text(DOCUMENT.format(**words))
    (folder / "cases" / "the-plain-case.yaml").write_text("# what the rule must find\n")
    print(f"wrote {folder}: write cases, then check(), then run the tests with GPULINT_UPDATE=1")


if __name__ == "__main__":
    main()

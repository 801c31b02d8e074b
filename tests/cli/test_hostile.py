"""Inputs made to break a reader: each run ends, says what it did not read, and checks the files beside it."""
import os

from support import BROKEN_POD, Case


def merges(links, times):
    """Mappings each of which merges the one before it, again and again."""
    return "gpu: 1\na0: &a0 {x: 1}\n" + "".join(
        f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * times)}], k: 1}}\n" for i in range(1, links))


# Name, content, and the rule that speaks of it (None: nothing is wrong with it).
INPUTS = [
    ("deep-flow.yaml", "gpu: " + "[" * 100_000 + "]" * 100_000, "input-limit"),
    ("deep-open.yaml", "gpu: " + "{a: " * 100_000, "input-limit"),
    ("deep-block.yaml", "".join(" " * i + "gpu:\n" for i in range(1_000)), "input-limit"),
    ("deep-items.yaml", "gpu:\n" + "- " * 100_000 + "a\n", "input-limit"),
    ("deep-keys.yaml", "? " * 100_000 + "gpu\n", "input-limit"),
    ("deep.json", '{"gpu": ' + "[" * 100_000 + "]" * 100_000 + "}", "input-limit"),
    ("bomb.yaml", "gpu: &b0 [x, x]\n" + "".join(
        f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 100)), "input-limit"),
    ("merge-chain.yaml", merges(2_000, 1), "input-limit"),
    ("merge-bomb.yaml", merges(500, 3), "input-limit"),
    ("circle.yaml", "gpu: &a\n  <<: *a\n", "yaml-syntax"),
    ("long-token.yaml", 'gpu: "' + "a\\n" * 2_000_000 + '"\n', "input-limit"),
    ("open-quote.yaml", 'gpu: "' + "a\n" * 100_000, "yaml-syntax"),
    ("nul.yaml", "gpu: a\0b\n", "yaml-syntax"),
    ("bytes.yaml", b"gpu: caf\xe9 \xc0\x80\n", "yaml-syntax"),
    ("keys.yaml", "gpu:\n" + "".join(f"  k{i}: v\n" for i in range(50_000)), None),
    ("repeats.yaml", "gpu:\n" + "  k: v\n" * 10_000, "duplicate-key"),
    ("documents.yaml", "---\ngpu: 1\n" * 20_000, None),
    ("no-documents.yaml", "---\n" * 200_000 + "gpu: 1\n", None),
    ("anchors.yaml", "gpu: 1\n" + "".join(f"k{i}: &a{i} v\nr{i}: *a{i}\n" for i in range(5_000)), None),
    ("number.yaml", f"gpu: {'9' * 100_000}\nn: 1e{'9' * 1_000}\n", None),
    ("tabs.yaml", "gpu:\n" + "\t" * 100_000 + "a\n", "yaml-syntax"),
]


class Hostile(Case):
    def test_each_ends_and_hides_nothing(self):
        self.write("pod.yaml", BROKEN_POD)
        for name, content, rule in INPUTS:
            with self.subTest(name):
                path = self.write(name, content)
                ran = self.check_json(name, "pod.yaml")
                self.assertIn(ran.status, (0, 1), ran.err)
                found = {(os.path.basename(finding["file"]), finding["id"]) for finding in ran.json()["diagnostics"]}
                self.assertEqual(found, {("pod.yaml", "duplicate-key")} | ({(name, rule)} if rule else set()))
                path.unlink()

"""The order in which files are named decides nothing."""
import pathlib

from support import SOURCE, Case

TESTDATA = SOURCE / "testdata"
ENDINGS = {".yaml", ".yml", ".json", ".py"}
MOST_FILES = 60


def folders():
    """Each folder whose files belong together: a project, an example, a rule case of several files."""
    for parent in ("projects", "quickstart", "kustomize"):
        yield from sorted(path for path in (TESTDATA / parent).iterdir() if path.is_dir())
    yield from (TESTDATA / "docs", TESTDATA / "showcase")


def rule_folders():
    """Every eighth, so that the test stays short."""
    found = sorted(path for path in (SOURCE / "rules").glob("*/cases/*") if path.is_dir())
    return found[::8]


class Order(Case):
    def files_of(self, folder):
        files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                       if path.suffix in ENDINGS and path.is_file())
        return [name for name in files if pathlib.Path(name).name != "gpulint.yaml"][:MOST_FILES]

    def hold(self, folder):
        files = self.files_of(folder)
        if len(files) < 2:
            return
        third = len(files) // 3 or 1
        orders = (files[::-1], files[third:] + files[:third])
        for command in ("check", "place", "why"):
            expected = self.run_gpulint(command, *files, folder=folder)
            for order in orders:
                with self.subTest(folder=folder.name, command=command):
                    ran = self.run_gpulint(command, *order, folder=folder)
                    self.assertEqual((ran.status, ran.out, ran.err),
                                     (expected.status, expected.out, expected.err))

    def test_any_order_of_files_gives_the_same_bytes(self):
        for folder in folders():
            self.hold(folder)

    def test_any_order_of_the_files_of_a_rule_case_gives_the_same_bytes(self):
        for folder in rule_folders():
            self.hold(folder)

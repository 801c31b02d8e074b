"""One verdict: `check`, `place` and `why` say the same of a workload."""
import unittest

from support import SOURCE, Case

VERDICTS = SOURCE / "testdata/verdicts"
# What runs by what is known: True, False, or None where it is not certain. By the file's name.
FITS = {
    "admission-by-evidence": True,
    "bound-pod": False,
    "cordoned-node": False,
    "dra-machine": None,
    "hami-cards": False,
    "karpenter-machine": False,
    "kueue-flavor": False,
    "quota": False,
    "taint": False,
}
# Where a command says something else today, and what.
PLACE_EXCEPTIONS = {"admission-by-evidence": False, "hami-cards": None, "karpenter-machine": None, "kueue-flavor": True,
                    "quota": True}
WHY_EXCEPTIONS = {"hami-cards": None, "kueue-flavor": True, "quota": True}
# A state that passes is not an error of the files.
TRANSIENT = {"cordoned-node"}


class VerdictLaw(Case):
    def run_json(self, command, name):
        return self.run_gpulint(command, "--no-config", "--format", "json", VERDICTS / f"{name}.yaml").json()

    def severity(self, name):
        severities = {finding["severity"] for finding in self.run_json("check", name)["diagnostics"]} - {"info"}
        return "error" if "error" in severities else "warning" if severities else None

    def placed(self, name):
        cells = self.run_json("place", name)["results"]
        fits = {cell["fits"] if cell["valid"] else False for cell in cells}
        return True if True in fits else None if None in fits else False

    def explained(self, name):
        story, = self.run_gpulint("why", "--no-config", "--format", "json", "--workload", "train",
                                  VERDICTS / f"{name}.yaml").json()["workloads"]
        return story["fits"]

    def test_each_file_has_a_verdict(self):
        self.assertEqual({path.stem for path in VERDICTS.glob("*.yaml")}, set(FITS))

    def test_check_reports_an_error_exactly_of_what_certainly_does_not_run(self):
        for name, fits in FITS.items():
            expected = None if fits or name in TRANSIENT else "warning" if fits is None else "error"
            self.assertEqual(self.severity(name), expected, name)

    def test_place_says_so(self):
        for name, fits in FITS.items():
            self.assertEqual(self.placed(name), PLACE_EXCEPTIONS.get(name, fits), name)

    def test_why_says_so(self):
        for name, fits in FITS.items():
            self.assertEqual(self.explained(name), WHY_EXCEPTIONS.get(name, fits), name)


if __name__ == "__main__":
    unittest.main()

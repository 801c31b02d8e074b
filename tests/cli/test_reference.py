"""Completions, manual, schema: what is drawn from the command line and the tables."""
import json
import re
import shutil
import subprocess
import unittest

from support import GPULINT, SOURCE, Case


def flags_of(help_text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", help_text.split("Options:", 1)[-1]))


class Reference(Case):
    def commands(self):
        text = self.run_gpulint("--help").out.split("Subcommands:", 1)[1]
        return re.findall(r"^  ([a-z]+)  ", text, re.M)

    def flags(self):
        found = flags_of(self.run_gpulint("--help").out)
        for command in self.commands():
            found |= flags_of(self.run_gpulint(command, "--help").out)
        return found

    def test_the_manual_names_every_command_and_flag_and_no_other(self):
        manual = (SOURCE / "docs/gpulint.1").read_text().replace("\\-", "-")
        options = manual.split(".SH OPTIONS")[1].split(".SH EXIT STATUS")[0]
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", options))
        self.assertEqual(named ^ self.flags(), set())
        commands = manual.split(".SH COMMANDS")[1].split(".SH OPTIONS")[0]
        for command in self.commands():
            self.assertRegex(commands, rf"\n\.BR? {command}\b")

    @unittest.skipIf(shutil.which("man") is None, "man is not installed")
    def test_the_manual_is_well_formed(self):
        ran = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", SOURCE / "docs/gpulint.1"],
                             capture_output=True, text=True, check=True, timeout=60)
        self.assertEqual(ran.stderr, "")

    def test_the_schema_is_json_with_every_key_explained(self):
        for name in ("config", "flyte-values"):
            schema = json.loads(self.run_gpulint("schema", name).out)
            self.assertEqual(schema["$schema"], "http://json-schema.org/draft-07/schema#")
        config = json.loads(self.run_gpulint("schema").out)
        for name, section in config["definitions"].items():
            if name == "KnownRule":
                continue
            for key, value in section["properties"].items():
                self.assertTrue(value.get("description", "").endswith("."), f"{name}.{key}")

    def test_rules_are_listed_and_explained(self):
        listed = json.loads(self.run_gpulint("rules", "--format", "json").out)
        ids = re.findall(r'"id": "([a-z0-9-]+)"', json.dumps(listed))
        self.assertIn("duplicate-key", ids)
        self.assertEqual(ids, sorted(set(ids)))
        table = self.run_gpulint("rules")
        self.assertEqual((table.status, table.err), (0, ""), table)
        for name in ids:
            self.assertIn(name, table.out)
            ran = self.run_gpulint("rule", name)
            self.assertEqual(ran.status, 0, ran)
            self.assertIn(name, ran.out)
        self.assertIn("yaml-syntax", self.run_gpulint("rule", "reading").out)  # a category
        self.assertTrue(self.run_gpulint("rules", "--format", "markdown").out.startswith("#"))
        self.assertEqual(self.run_gpulint("rule", "--output", "out.txt", "yaml-syntax").out, "")
        self.assertIn("yaml-syntax", self.read("out.txt"))

    def test_unknown_names_are_refused(self):
        ran = self.run_gpulint("rule", "duplicate-kee")
        self.assertEqual((ran.status, ran.out), (2, ""), ran)
        self.assertIn("`duplicate-key`", ran.err)
        self.assertEqual(self.run_gpulint("schema", "bogus").status, 2)
        self.assertEqual(self.run_gpulint("completions", "tcsh").status, 2)
        self.assertEqual(self.run_gpulint("completions").status, 2)


class ValuesSchema(Case):
    def test_tolerations_are_as_the_api_server_takes_them(self):
        """As editors judge them: unknown words and values that are no text are marked, templates are not."""
        schema = json.loads(self.run_gpulint("schema", "flyte-values").out)
        toleration = schema["definitions"]["Toleration"]["properties"]
        for field, words in (("operator", {"Equal", "Exists"}), ("effect", {"NoSchedule", "PreferNoSchedule", "NoExecute"})):
            known, templated = toleration[field]["anyOf"]
            self.assertLessEqual(words, set(known["enum"]))
            self.assertNotIn("Exist", known["enum"])
            self.assertRegex("{{ .Values.word }}", templated["pattern"])
        self.assertEqual(toleration["value"], {"type": ["string", "null"]})


class Completions(Case):
    # (words so far, what is among the offers, what is not)
    EXPECTED = [
        (["ch"], "check", "fix"),
        (["debug", ""], "spans", "check"),
        (["check", "--pro"], "--provider", "--config"),
        (["check", "--provider", ""], "eks", "check"),
        (["check", "--format", "js"], "json", "text"),
        (["fix", "--select", "dup"], "duplicate-key", "yaml-syntax"),
        (["fix", "--select", "placement,dup"], "placement,duplicate-key", "yaml-syntax"),
        (["rule", "yaml-"], "yaml-syntax", "duplicate-key"),
        (["explain", "yaml-"], "yaml-syntax", "duplicate-key"),
        (["check", "-f", "js"], "json", "text"),
        (["help", "ch"], "check", "fix"),
        (["completions", ""], "zsh", "check"),
        (["check", "--format=js"], "--format=json", "--format=text"),
        (["fix", "--select=placement,dup"], "--select=placement,duplicate-key", "yaml-syntax"),
    ]

    def offers(self, shell, words):
        raise NotImplementedError

    def script(self, shell):
        return self.write(f"script.{shell}", self.run_gpulint("completions", shell).out)

    def run_shell(self, *words):
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout

    def judge(self, offers):
        for words, offered, other in self.EXPECTED:
            found = offers(words)
            self.assertIn(offered, found, words)
            self.assertNotIn(other, found, words)

    def test_bash(self):
        script = self.script("bash")
        self.judge(lambda words: self.run_shell(
            "bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpulint; '
            'printf "%s\\n" "${COMPREPLY[@]}"', str(script), GPULINT, *words).split())

    @unittest.skipIf(shutil.which("fish") is None, "fish is not installed")
    def test_fish(self):
        script = self.script("fish")
        path = str(script.parent)
        (script.parent / "gpulint").symlink_to(GPULINT)
        self.judge(lambda words: [line.split("\t")[0] for line in self.run_shell(
            "fish", "--no-config", "-c", f"set -x HOME {path}; set -x PATH $PATH {path}; "
            f"source {script}; complete -C 'gpulint {' '.join(words)}'").splitlines()])

    @unittest.skipIf(shutil.which("fish") is None, "fish is not installed")
    def test_fish_describes_rules_and_not_each_value(self):
        script = self.script("fish")
        (script.parent / "gpulint").symlink_to(GPULINT)

        def offers(words):
            out = self.run_shell("fish", "--no-config", "-c", f"set -x HOME {self.folder}; set -x PATH $PATH {self.folder}; "
                                 f"source {script}; complete -C 'gpulint {words}'")
            return dict((line + "\t").split("\t")[:2] for line in out.splitlines())

        self.assertEqual(offers("check --format js"), {"json": "", "jsonl": ""})
        self.assertNotEqual(offers("check --forma")["--format"], "")
        summaries = {rule["id"]: rule["summary"] for rule in self.run_gpulint("rules", "--format", "json").json()["rules"]}
        for words in ("explain fractional-g", "check --select fractional-g"):
            self.assertEqual(offers(words), {"fractional-gpu": summaries["fractional-gpu"]})

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
    def test_zsh_reads_it(self):
        self.run_shell("zsh", "-f", "-c", f"autoload -Uz compinit; compinit -u -D; source {self.script('zsh')}; "
                       "[[ -n $_comps[gpulint] ]]")

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
    def test_zsh(self):
        script = self.script("zsh")
        self.judge(lambda words: [line.split(":")[0] for line in self.run_shell(
            "zsh", "-f", "-c", 'compdef() { }; _describe() { print -rl -- "${(@P)2}" }; _files() { }; source "$0"; '
            'words=("$@") CURRENT=$#; _gpulint', str(script), GPULINT, *words).splitlines()])

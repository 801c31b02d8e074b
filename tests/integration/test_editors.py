"""Editors with `gpulint server`. What is not on PATH is skipped."""
import json
import os
import pathlib
import shutil
import subprocess

import outside
from support import BROKEN_POD, GOOD_POD, GPULINT, Case

# Neovim 0.7 and newer; prints one JSON value.
SESSION = """
local told = {}
local function codes()
  return vim.tbl_map(function(each) return {each.code, each.lnum, each.col} end, vim.diagnostic.get(0))
end
local function await(count) return vim.wait(20000, function() return #vim.diagnostic.get(0) == count end, 20) end
local root = vim.fn.getcwd()
vim.cmd('edit pod.yaml')
local id = vim.lsp.start_client({cmd = {GPULINT, 'server'}, root_dir = root, workspace_folders = {{uri = vim.uri_from_fname(root), name = 'w'}}})
vim.lsp.buf_attach_client(0, id)
await(1)
told.before = codes()
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
  textDocument = {uri = vim.uri_from_bufnr(0)}, context = {diagnostics = {}},
  range = {start = {line = 0, character = 0}, ['end'] = {line = 99, character = 0}}}, 20000)
vim.lsp.util.apply_workspace_edit(answers[id].result[1].edit, 'utf-16')
told.is_fixed = await(0)
told.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') .. '\\n'
vim.cmd('undo')
told.is_back = await(1)
vim.api.nvim_buf_set_lines(0, 8, 9, false, {})
told.is_edited = await(0)
io.stdout:write(vim.json.encode(told))
vim.cmd('qa!')
"""

# Emacs 28 with Eglot 1.9, and newer; prints one line for each answer.
LISP = """
(require 'yaml-mode)
(require 'eglot)
(add-to-list 'eglot-server-programs '((yaml-mode yaml-ts-mode) . (GPULINT "server")))
(setq eglot-sync-connect 20)
(find-file "pod.yaml")
(yaml-mode)
(apply #'eglot (eglot--guess-contact))
(defun await (done)
  (let ((left 400)) (while (and (> left 0) (not (funcall done))) (accept-process-output nil 0.05) (setq left (1- left))))
  (funcall done))
(flymake-mode 1)
(flymake-start)
(await #'flymake-diagnostics)
(message "before: %d" (length (flymake-diagnostics)))
(message "actions: %S" (mapcar (lambda (each) (plist-get each :title)) (eglot-code-actions (point-min) (point-max) nil nil)))
(search-forward "gpu: 2")
(beginning-of-line)
(kill-whole-line)
(eglot--signal-textDocument/didChange)
(message "corrected: %s" (await (lambda () (not (flymake-diagnostics)))))
(eglot-shutdown (eglot-current-server))
"""
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-1}\nstatus: {allocatable: {nvidia.com/gpu: 1, pods: 9, cpu: 9, memory: 9Gi}}\n"
PACKAGES = pathlib.Path("/usr/share/emacs/site-lisp/elpa-src")  # Debian's


class Neovim(Case):
    def test_findings_fixes_and_edits(self):
        if shutil.which("nvim") is None:
            self.skipTest("nvim is not here")
        text = BROKEN_POD.replace("{nvidia.com/gpu: 1}", "{nvidia.com/gpu: 1}  # 日𝄞")
        self.write("pod.yaml", text.replace("train:1.0", '"train:𝄞日"'))
        self.write("session.lua", f"GPULINT = {json.dumps(str(GPULINT))}\n{SESSION}")
        ran = subprocess.run(["nvim", "--headless", "-u", "NONE", "-n", "-c", "luafile session.lua"], cwd=self.folder,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        told = json.loads(ran.stdout)
        self.assertEqual(told["before"], [["duplicate-key", 9, 6]])
        self.assertEqual([told["is_fixed"], told["is_back"], told["is_edited"]], [True, True, True])
        self.assertEqual(told["text"], GOOD_POD.replace("train:1.0", '"train:𝄞日"').replace("gpu: 1}", "gpu: 1}  # 日𝄞"))


class Eglot(Case):
    def test_findings_fixes_and_edits(self):
        if shutil.which("emacs") is None or not list(PACKAGES.glob("eglot-*")) or not list(PACKAGES.glob("yaml-mode-*")):
            self.skipTest("emacs with eglot and yaml-mode is not here")
        self.write("pod.yaml", BROKEN_POD)
        self.write("session.el", LISP.replace("GPULINT", json.dumps(str(GPULINT))))
        paths = [word for path in PACKAGES.iterdir() for word in ("-L", path)]
        ran = subprocess.run(["emacs", "--batch", "-Q", *paths, "-l", "session.el"], cwd=self.folder, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=120, check=False)
        self.assertIn("before: 1\n", ran.stderr)
        self.assertIn("Ignore duplicate-key here", ran.stderr)
        self.assertIn("corrected: t\n", ran.stderr)


class PytestLsp(Case):
    @outside.needs_registry
    def test_answers_have_the_types_of_the_protocol(self):
        python = outside.environment("tools") / "python"
        self.write("pod.yaml", BROKEN_POD)
        self.write("node.yaml", NODE)
        told = outside.run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", pathlib.Path(__file__).with_name("lsp_clients.py"),
                           cwd=self.folder, env={**os.environ, "GPULINT": str(GPULINT), "FOLDER": str(self.folder)}, timeout=300)
        self.assertIn("3 passed", told)

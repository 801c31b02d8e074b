"""Editors with `gpulint server`. What is not on PATH is skipped."""
import json
import shutil
import subprocess

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

"""The server under pytest-lsp: each answer must have the types of the protocol. Run by test_editors.py with its own packages.

GPULINT and FOLDER (with pod.yaml and node.yaml) are in the environment.
"""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = pathlib.Path(os.environ["FOLDER"])
POD = FOLDER / "pod.yaml"


@pytest_lsp.fixture(params=["visual_studio_code", "neovim", "emacs"], config=ClientServerConfig(server_command=[os.environ["GPULINT"], "server"]))
async def client(request, lsp_client: LanguageClient):
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=client_capabilities(request.param), workspace_folders=[types.WorkspaceFolder(FOLDER.as_uri(), "w")],
        root_uri=FOLDER.as_uri()))
    yield
    await lsp_client.shutdown_session()


def codes(diagnostics):
    return [each.code for each in diagnostics]


async def findings(client, uri):
    """Those that the client shows: it asks for them, or the server has sent them."""
    if client.capabilities.text_document.diagnostic is not None:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri)))
        return report.items
    await client.text_document_document_symbol_async(types.DocumentSymbolParams(types.TextDocumentIdentifier(uri)))
    return client.diagnostics[uri]


@pytest.mark.asyncio
async def test_a_session(client: LanguageClient):
    uri = POD.as_uri()
    text = POD.read_text()
    document = types.TextDocumentIdentifier(uri)
    whole = types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "yaml", 1, text)))
    assert codes(await findings(client, uri)) == ["duplicate-key"]
    at = types.Position(text.count("\n") - 1, 7)
    actions = await client.text_document_code_action_async(types.CodeActionParams(document, whole, types.CodeActionContext([])))
    assert any("duplicate-key" in each.title for each in actions)
    hover = await client.text_document_hover_async(types.HoverParams(document, at))
    assert "duplicate-key" in hover.contents.value
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert [each.command.title for each in lenses] == ["the API server rejects this workload"]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [each.name for each in symbols] == ["Pod/train"]
    await client.text_document_definition_async(types.DefinitionParams(document, at))
    await client.text_document_completion_async(types.CompletionParams(document, at))
    await client.text_document_document_link_async(types.DocumentLinkParams(document))
    lines = text.splitlines(keepends=True)
    del lines[at.line - 1]
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(2, uri), [types.TextDocumentContentChangeWholeDocument("".join(lines))]))
    assert codes(await findings(client, uri)) == []

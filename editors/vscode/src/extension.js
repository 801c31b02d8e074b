// Starts `gpulint server` and connects it with the editor.
'use strict';
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');
const {findProgram} = require('./program');

let client;

async function start(context) {
  const settings = vscode.workspace.getConfiguration('gpulint');
  const found = findProgram(settings.get('path'), context.extensionPath, process.env);
  if (!found.program) {
    const open = 'Open Settings';
    const message = `gpulint: no program in ${found.tried.join(' and ')}. Install gpulint or set "gpulint.path".`;
    if (await vscode.window.showErrorMessage(message, open) === open) {
      vscode.commands.executeCommand('workbench.action.openSettings', 'gpulint.path');
    }
    return;
  }
  client = new LanguageClient('gpulint', {command: found.program, args: ['server']}, {
    documentSelector: ['yaml', 'json', 'python', 'helm'].map(language => ({language})),
    middleware: {
      provideCodeLenses: (document, token, next) =>
        vscode.workspace.getConfiguration('gpulint', document).get('codeLens') ? next(document, token) : [],
    },
  });
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

exports.activate = async context => {
  const restart = async () => {
    await stop();
    await start(context);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('gpulint.restart', restart),
    vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration('gpulint.path') && restart()));
  await start(context);
};

exports.deactivate = stop;

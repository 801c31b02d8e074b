// Starts `gpulint server` and connects it with the editor.
'use strict';
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');
const {findProgram} = require('./program');

let client;
const podsChanged = new vscode.EventEmitter();  // URIs of documents that show pods of Flyte tasks

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
    initializationOptions: {commands: ['gpulint.showPod'], inlayHints: settings.get('inlayHints')},
    middleware: {
      provideCodeLenses: (document, token, next) =>
        vscode.workspace.getConfiguration('gpulint', document).get('codeLens') ? next(document, token) : [],
    },
  });
  client.onRequest('workspace/textDocumentContent/refresh', ({uri}) => podsChanged.fire(vscode.Uri.parse(uri)));
  await client.start();
}

async function readPod(uri) {
  return client ? (await client.sendRequest('workspace/textDocumentContent', {uri: uri.toString()})).text : '';
}

async function showPod(uri) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  await vscode.languages.setTextDocumentLanguage(document, 'yaml');
  await vscode.window.showTextDocument(document, {preview: true, viewColumn: vscode.ViewColumn.Beside});
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
    vscode.commands.registerCommand('gpulint.showPod', showPod),
    vscode.workspace.registerTextDocumentContentProvider(
      'gpulint-pod', {onDidChange: podsChanged.event, provideTextDocumentContent: readPod}),
    vscode.workspace.onDidChangeConfiguration(event =>
      ['gpulint.path', 'gpulint.inlayHints'].some(name => event.affectsConfiguration(name)) && restart()));
  await start(context);
};

exports.deactivate = stop;

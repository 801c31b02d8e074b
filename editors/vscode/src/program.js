// Which program the extension starts.
'use strict';
const fs = require('fs');
const path = require('path');

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The setting `gpulint.path`, the program in the extension's folder, or `gpulint` of PATH.
 * Returns {program} or, if there is none, {tried}: every place where it was looked for.
 */
function findProgram(setting, extensionFolder, environment, platform = process.platform) {
  const name = platform === 'win32' ? 'gpulint.exe' : 'gpulint';
  const folders = (environment.PATH || '').split(platform === 'win32' ? ';' : ':').filter(folder => folder !== '');
  const places = setting ? [setting]
      : [path.join(extensionFolder, 'bin', name), ...folders.map(folder => path.join(folder, name))];
  const program = places.find(isProgram);
  return program ? {program} : {tried: setting ? [setting] : [places[0], 'PATH']};
}

module.exports = {findProgram};

'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {test} = require('node:test');
const {findProgram} = require('../src/program');

function write(file) {
  fs.mkdirSync(path.dirname(file), {recursive: true});
  fs.writeFileSync(file, '#!/bin/sh\n', {mode: 0o755});
  return file;
}

test('the setting comes first, then the extension, then PATH', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gpulint-'));
  const extension = path.join(folder, 'extension');
  const environment = {PATH: `${folder}/none:${folder}/usr`};
  assert.deepStrictEqual(findProgram('', extension, environment, 'linux'),
                         {tried: [path.join(extension, 'bin/gpulint'), 'PATH']});
  const ofPath = write(path.join(folder, 'usr/gpulint'));
  assert.deepStrictEqual(findProgram('', extension, environment, 'linux'), {program: ofPath});
  const own = write(path.join(extension, 'bin/gpulint'));
  assert.deepStrictEqual(findProgram('', extension, environment, 'linux'), {program: own});
  const set = write(path.join(folder, 'mine'));
  assert.deepStrictEqual(findProgram(set, extension, environment, 'linux'), {program: set});
  fs.rmSync(folder, {recursive: true});
});

test('a setting that names no program is not replaced by another one', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gpulint-'));
  write(path.join(folder, 'gpulint'));
  for (const setting of [path.join(folder, 'missing'), folder]) {
    assert.deepStrictEqual(findProgram(setting, folder, {PATH: folder}, 'linux'), {tried: [setting]});
  }
  fs.rmSync(folder, {recursive: true});
});

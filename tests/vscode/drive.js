// Opens a folder in code-server and compares what a user sees. usage: drive.js FOLDER
'use strict';
const assert = require('node:assert');
const {chromium} = require('playwright-core');
const folder = process.argv[2];
const patience = {timeout: 60000};

async function connect(page) {
  for (let left = 60;; --left) {
    try {
      return await page.goto(`http://127.0.0.1:8123/?folder=${folder}`, {timeout: 120000});
    } catch (error) {
      if (left === 0) throw error;
      await page.waitForTimeout(1000);
    }
  }
}

async function open(page, name) {
  await page.keyboard.press('Control+P');
  await page.waitForSelector('.quick-input-widget input', patience);
  await page.keyboard.type(name);
  await page.locator('.quick-input-list .monaco-list-row', {hasText: name}).first().waitFor(patience);
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', {hasText: name}).waitFor(patience);
}

async function goTo(page, place) {
  await page.keyboard.press('Control+G');
  await page.waitForSelector('.quick-input-widget input', patience);
  await page.keyboard.type(place);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.quick-input-widget', {state: 'hidden', ...patience});
}

/** The text of the first element once it contains `part`. */
async function textWith(page, selector, part) {
  const found = page.locator(selector, {hasText: part}).first();
  await found.waitFor(patience);
  return found.innerText();
}

/** An action of the menu. The editor shows no menu while it waits for the findings of an edit. */
async function showAction(page, part) {
  const action = page.locator('.action-widget .monaco-list-row', {hasText: part}).first();
  for (let left = 15;; --left) {
    await page.keyboard.press('Control+.');
    try {
      await action.waitFor({timeout: 4000});
      return action;
    } catch (error) {
      if (left === 0) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

async function main() {
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--headless=new']});
  const page = await browser.newPage({viewport: {width: 1300, height: 800}});
  try {
    await connect(page);
    await page.waitForSelector('.monaco-workbench', {timeout: 120000});
    await open(page, 'train.yaml');
    await page.waitForSelector('.squiggly-error', patience);
    await textWith(page, '.codelens-decoration', 'fits 0 of 2 nodes');

    await page.locator('.squiggly-error').first().hover({force: true});
    const hover = await textWith(page, '.monaco-hover', 'gpu-count-in-command');
    assert.match(hover, /A command or a job starts more processes than it has GPUs/);
    await page.screenshot({path: 'hover.png'});

    await page.mouse.move(0, 0);
    await page.keyboard.press('Escape');

    // completion of a value that a node has
    await goTo(page, '10:33');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Delete');
    await page.waitForTimeout(1000);
    await page.keyboard.press('Control+Space');
    await textWith(page, '.suggest-widget .monaco-list-row', 'NVIDIA-A100-SXM4-80GB');
    await page.keyboard.press('Enter');

    // the fix of the untolerated taint
    await goTo(page, '17:15');
    const fix = await showAction(page, 'tolerate');
    await page.screenshot({path: 'fix.png'});
    await fix.click({force: true});
    await textWith(page, '.codelens-decoration', 'fits 1 of 2 nodes');
    await page.screenshot({path: 'lens.png'});

    // the pod of a Flyte task
    await open(page, 'gpulint.yaml');
    await page.locator('.codelens-decoration a', {hasText: 'fits 1 of 2 nodes'}).first().click({force: true});
    await textWith(page, '.tab.active', 'train-task.yaml');
    await textWith(page, '.view-line', 'values.yaml:');
    await page.screenshot({path: 'pod.png'});
    console.log('squiggle, lens, hover, completion, quick fix, pod of a task: as expected');
  } catch (error) {
    await page.screenshot({path: 'last.png'});
    throw error;
  } finally {
    await browser.close();
  }
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});

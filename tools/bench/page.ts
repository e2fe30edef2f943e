import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium, launchChromium } from '../browser/chromium.ts';
import { largeRecording } from './client/large-recording.ts';
import { type Figure, median } from './measure.ts';
import { figuresOnly, type Outcome } from './section.ts';

/** The largest ratio of the time until the verdict is visible to that of `replay` in Node. */
const GOAL = 3;

interface PageTimes {
  verdictMs: number;
  selectMs: number;
  scrollMs: number;
}

/** A report page in a running browser, beside `replay` of the same file in Node, in turns. */
export async function pages(root: string): Promise<Outcome> {
  const found = findChromium();
  if ('missing' in found) return { markdown: `Not measured here: ${found.missing}`, figures: [] };
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-bench-'));
  const server = await launchChromium(found.path);
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const large = largeRecording(5000, 100_000);
    const path = join(folder, 'large.xdsrec');
    writeFileSync(path, large.text);
    const few = await measure(root, browser, folder, join(root, 'fixtures/recordings/first-look.xdsrec'), 7);
    const many = await measure(root, browser, folder, path, 3);
    const counts = [large.resources, large.events].map((count) => count.toLocaleString('en')).join(' resources and ');
    const { markdown, figures } = figuresOnly([
      figure('a session of the demo', few, 7),
      figure(`${counts} events`, many, 3),
    ]);
    const rest = `With ${counts} events, selecting a time takes ${many.page.selectMs.toFixed(0)} ms, and a frame while the events scroll ${many.page.scrollMs.toFixed(0)} ms (medians).`;
    return { markdown: `${markdown}\n\n${rest}`, figures };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

interface Measured {
  nodeMs: number;
  page: PageTimes;
}

function figure(what: string, { nodeMs, page }: Measured, runs: number): Figure {
  const seconds = (ms: number): string => `${(ms / 1000).toPrecision(3)} s`;
  return {
    what: `page of ${what}, wall time from navigation to the verdict (${seconds(page.verdictMs)})`,
    ratio: page.verdictMs / nodeMs,
    peer: `\`replay\` in Node (${seconds(nodeMs)})`,
    goal: GOAL,
    runs,
  };
}

async function measure(root: string, browser: Browser, folder: string, file: string, runs: number): Promise<Measured> {
  const command = join(root, 'bin/xds-inspect.js');
  const html = join(folder, 'page.html');
  const made = spawnSync(process.execPath, [command, 'replay', file, '--html', html, '--fail-on', 'none'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (made.error !== undefined || made.status === 1) throw new Error(`replay --html failed: ${made.stderr}`);
  const node: number[] = [];
  const times: PageTimes[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    spawnSync(process.execPath, [command, 'replay', file], { stdio: 'ignore' });
    node.push(performance.now() - start);
    times.push(await openPage(browser, `file://${html}`));
  }
  const middle = (key: keyof PageTimes): number => median(times.map((one) => one[key]));
  const page = { verdictMs: middle('verdictMs'), selectMs: middle('selectMs'), scrollMs: middle('scrollMs') };
  return { nodeMs: median(node), page };
}

/** Opens the page, selects its start and scrolls through its events. Times are measured in the page. */
async function openPage(browser: Browser, address: string): Promise<PageTimes> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.addInitScript(WATCH_VERDICT);
  await page.goto(address, { waitUntil: 'commit' });
  const verdictMs = await page.waitForFunction<number>('globalThis.verdictAt').then((handle) => handle.jsonValue());
  await page.waitForTimeout(1000);
  const selectMs = await page.evaluate<number>(SELECT_START);
  const scrollMs = await page.evaluate<number>(SCROLL_EVENTS);
  await context.close();
  return { verdictMs, selectMs, scrollMs };
}

const WATCH_VERDICT = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.badge')?.textContent) return;
  observer.disconnect();
  globalThis.verdictAt = performance.now();
}).observe(document, { childList: true, subtree: true, characterData: true })`;

const FRAMES = 'const frame = () => new Promise(requestAnimationFrame);';

const SELECT_START = `(async () => {
  ${FRAMES}
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
  await frame();
  await frame();
  return performance.now() - start;
})()`;

const SCROLL_EVENTS = `(async () => {
  ${FRAMES}
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '3', bubbles: true }));
  await frame();
  await frame();
  const list = document.querySelector('.virtual-list');
  const start = performance.now();
  for (let i = 0; i < 20; i++) {
    list.scrollTop += 400;
    await frame();
  }
  return (performance.now() - start) / 20;
})()`;

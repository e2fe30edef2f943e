import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/clean-up.js';

let connection: Promise<Browser> | undefined;

/** The size of a usual laptop screen. */
const SIZE = { width: 1440, height: 900 };

export interface OpenOptions extends BrowserContextOptions {
  /** The part of the address after `#`. */
  fragment?: string;
  /** The start of addresses that the page may use. By default, only the page itself. */
  origin?: string;
  /** Whether the page reports that its data is damaged, also with an uncaught error. */
  isDamaged?: boolean;
  /** Runs before the page is loaded. */
  prepare?: (page: Page) => Promise<void>;
}

/** Writes a page to a file and opens it from there. */
export async function openHtml(html: string, options: OpenOptions = {}): Promise<Page> {
  const path = join(temporaryFolder(), 'report.html');
  writeFileSync(path, html);
  return await openAddress(pathToFileURL(path).href, options);
}

/** Opens a page. The test fails if the page requests another address, violates its policy, opens a dialog or throws. */
async function openAddress(address: string, options: OpenOptions = {}): Promise<Page> {
  const { fragment, origin = address, isDamaged = false, prepare, ...contextOptions } = options;
  connection ??= chromium.connect(inject('chromium'));
  const context = await (await connection).newContext({ viewport: SIZE, ...contextOptions });
  const page = await context.newPage();
  const problems = watchProblems(page, origin, isDamaged);
  onTestFinished(async () => {
    const violations = page.isClosed() ? [] : await page.evaluate('window.policyViolations').catch(() => []);
    await context.close();
    expect([...problems, ...(violations as string[])]).toEqual([]);
  });
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { policyViolations: violations });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      violations.push(`${violatedDirective} forbids ${blockedURI}`);
    });
  });
  await prepare?.(page);
  await page.goto(fragment === undefined ? address : `${address}#${fragment}`);
  return page;
}

function watchProblems(page: Page, origin: string, isDamaged: boolean): string[] {
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`request to ${request.url().slice(0, 200)}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => {
    if (!isDamaged) problems.push(`uncaught: ${error.stack || String(error)}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  return problems;
}

/** Shows another state without loading the page again. */
export async function showFragment(page: Page, fragment: string): Promise<void> {
  await page.evaluate((text) => {
    location.hash = text;
  }, fragment);
}

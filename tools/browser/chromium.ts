import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Options that keep the browser from using the GPU and the network on its own. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type Chromium = { path: string; version: string } | { missing: string };

/** The browser that `CHROME_PATH` names, or the first one on the PATH. */
export function findChromium(variables: NodeJS.ProcessEnv = process.env): Chromium {
  const { CHROME_PATH: named, PATH = '' } = variables;
  if (named !== undefined && named !== '')
    return isProgram(named) ? withVersion(named) : { missing: `CHROME_PATH=${named} is not a program` };
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const path = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  return path === undefined
    ? { missing: `no Chromium: CHROME_PATH is not set, and the PATH has none of ${NAMES.join(', ')}` }
    : withVersion(path);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function withVersion(path: string): Chromium {
  const { status, stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (error !== undefined || status !== 0)
    return { missing: `${path} --version ended with ${error?.message ?? status}` };
  return { path, version: stdout.trim() };
}

/** Starts the browser with a new, empty profile. */
export async function launchChromium(executablePath: string): Promise<BrowserServer> {
  // Chromium refuses to sandbox processes of root.
  const chromiumSandbox = process.getuid?.() !== 0;
  return await chromium.launchServer({ executablePath, chromiumSandbox, args: ARGUMENTS });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cleanups: (() => void)[] = [];

/** Runs when the tests of the file are over: they may run at the same time. In the interop suites, when the test is over. */
export function later(cleanup: () => void): void {
  cleanups.push(cleanup);
}

export function cleanUp(): void {
  for (const cleanup of cleanups.splice(0)) cleanup();
}

/** A new folder, deleted later. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
  later(() => rmSync(path, { recursive: true }));
  return path;
}

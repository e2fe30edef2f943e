import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cleanups: (() => void)[] = [];

/** Runs after all tests of the file, which may run in parallel; in the interop suites, after the test. */
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

/** A new folder that tests share, deleted when the process ends. */
export function keptFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

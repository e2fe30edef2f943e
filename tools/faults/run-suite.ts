import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/base/random.ts';
import { xxh64 } from '../../src/base/xxh64.ts';
import { activeResources, leftovers } from './leftovers.ts';
import type { Suite, SuiteResult } from './suite.ts';
import { until } from './until.ts';

export interface RunOptions {
  root: string;
  quick: boolean;
  seed: number;
  progress(line: string): void;
  /** How long closed sockets and ended processes may take until Node and the operating system forget them. */
  settleMs?: number;
}

const SETTLE_MS = 30_000;

/** Runs a suite, and adds a failure for everything that it leaves behind. */
export async function runSuite(
  suite: Suite,
  { root, quick, seed, progress, settleMs = SETTLE_MS }: RunOptions,
): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-faults-'));
  const before = activeResources();
  const { TMPDIR } = process.env;
  // Child processes create their temporary files in the folder of the suite, too.
  process.env.TMPDIR = folder;
  try {
    const random = seededRandom(Number(xxh64(new TextEncoder().encode(`${seed} ${suite.name}`)) & 0xffffffffn));
    const result = await suite
      .run({ root, quick, seed, random, folder, progress })
      .catch((error: Error): SuiteResult => ({ counts: {}, failures: [error.stack ?? error.message] }));
    const left = (): string[] => leftovers(before, folder);
    await until(
      () => left().length === 0,
      () => 'the end of everything',
      settleMs,
    ).catch(() => {});
    return { ...result, failures: [...result.failures, ...left()] };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  }
}

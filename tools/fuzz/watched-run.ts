import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Oracle } from './oracles.js';
import { ProgressFile } from './progress-file.js';
import type { TargetReport } from './runner.js';

/** What a child process runs. */
export interface ChildJob {
  target: string;
  seed: number;
  seconds: number;
  inputs: number;
  firstCase: number;
  /** Path of the progress file. */
  progress: string;
}

export interface WatchOptions {
  /** A case that takes longer hangs. Much longer than any case takes on a busy machine. */
  patienceMs?: number;
  /** The program of the child. */
  program?: URL;
  /** Called from time to time with the number of inputs so far. */
  onProgress?: (inputs: number) => void;
}

const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 1000;
/** A run that needs more memory than this leaks, or one of its cases needs too much. */
const MAX_HEAP_MB = 1500;
const MAX_ERRORS = 10_000;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

/**
 * Runs a target in a child process, which has its own heap limit and can be stopped while it is busy. An exception
 * outside of a case, a hang and a lack of memory are bugs of the case that was running.
 */
export async function watchedRun(
  job: Omit<ChildJob, 'progress'>,
  { patienceMs = PATIENCE_MS, program = new URL('child/main.mts', import.meta.url), onProgress }: WatchOptions = {},
): Promise<TargetReport> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-fuzz-'));
  const path = join(folder, 'progress');
  writeFileSync(path, '');
  const progress = new ProgressFile(path, 'r');
  try {
    return await run({ ...job, progress: path }, progress, fileURLToPath(program), patienceMs, onProgress);
  } finally {
    progress.close();
    rmSync(folder, { recursive: true });
  }
}

function run(
  job: ChildJob,
  progress: ProgressFile,
  program: string,
  patienceMs: number,
  onProgress?: (inputs: number) => void,
): Promise<TargetReport> {
  const child = fork(program, [JSON.stringify(job)], {
    execArgv: ['--import', 'tsx', `--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => {
    errors = `${errors}${data}`.slice(-MAX_ERRORS);
  });
  return new Promise((resolve) => {
    let begun = -1;
    let since = performance.now();
    const watch = setInterval(
      () => {
        const now = progress.read();
        onProgress?.(now.inputs);
        // The time to load the program does not count.
        if (now.begun !== begun || begun === 0) {
          begun = now.begun;
          since = performance.now();
        } else if (performance.now() - since > patienceMs) fail('no-hang', `no end after ${patienceMs / 1000} s`);
      },
      Math.min(LOOK_EVERY_MS, patienceMs / 4),
    );
    let isSettled = false;
    const settle = (report: TargetReport): void => {
      isSettled = true;
      clearInterval(watch);
      resolve(report);
    };
    const fail = (oracle: Oracle, message: string): void => {
      child.kill('SIGKILL');
      const { case: number, begun: cases, inputs } = progress.read();
      const bug = { oracle, message, case: number, times: 1, inputs: 1, reproducers: [] };
      settle({ target: job.target, cases, inputs, bugs: [bug] });
    };
    child.on('message', (report: TargetReport) => settle(report));
    // Without a report, the child has crashed.
    child.on('close', () => isSettled || fail(OUT_OF_MEMORY.test(errors) ? 'memory' : 'no-exception', errors));
  });
}

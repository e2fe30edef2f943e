import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateResponse } from '../../src/resources/validate-response.js';
import type { Main } from '../../tools/fuzz/command-run.js';
import { bootstrapTarget } from '../../tools/fuzz/files/document-targets.js';
import { messageTarget } from '../../tools/fuzz/messages/message-target.js';
import type { ORACLES } from '../../tools/fuzz/oracles.js';
import { runTarget } from '../../tools/fuzz/runner.js';
import type { FuzzTarget } from '../../tools/fuzz/target.js';
import { TARGETS } from '../../tools/fuzz/targets.js';
import { watchedRun } from '../../tools/fuzz/watched-run.js';

const fuzzed = (target: FuzzTarget, inputs: number) =>
  runTarget(target, { seed: 1, budget: { inputs, isOver: () => false } });

describe('fuzzing', () => {
  const small = TARGETS.map((make) => make()).filter(({ name }) => name !== 'engine');
  it.each(small.map((target) => [target.name, target] as const))(
    'finds no bug in a few inputs of %s',
    async (_name, target) => {
      const { bugs, inputs } = await fuzzed(target, 12);
      expect(bugs).toEqual([]);
      expect(inputs).toBeGreaterThanOrEqual(12);
    },
  );
});

/** A command that writes a text and returns an exit code. */
const printing =
  (text: string, code = 0): Main =>
  async (_argv, { stdout }) => {
    stdout.write(text);
    return code;
  };

describe('a bug in a command', () => {
  it.each<[oracle: keyof typeof ORACLES, main: Main]>([
    ['visible-text', printing('name \u001b[2J\n')],
    ['visible-text', printing('name \u202e\n')],
    ['visible-text', printing('::error::owned\n')],
    ['json-parses', printing('{"a":')],
    ['exit-code', printing('', 1)],
    ['exit-code', printing('', 3)],
    ['output-size', printing('x'.repeat(5_000_000))],
    ['no-exception', () => Promise.reject(new TypeError('planted'))],
  ])('is found as %s, with the file that causes it', async (oracle, main) => {
    const { bugs } = await fuzzed(bootstrapTarget(main), 10);
    expect(bugs.map((bug) => bug.oracle)).toContain(oracle);
    const contents = bugs.find((bug) => bug.oracle === oracle)?.reproducers[0]?.contents;
    expect(contents?.length).toBe(0);
  });
});

describe('a bug in the validation of messages', () => {
  it.each<[oracle: keyof typeof ORACLES, validate: typeof validateResponse]>([
    [
      'validation-cache',
      (response, context, cache) => {
        const result = validateResponse(response, context, cache);
        return cache === undefined ? result : { ...result, nack: 'other' };
      },
    ],
    ['output-size', (response, context) => ({ ...validateResponse(response, context), nack: 'x'.repeat(5_000_000) })],
    [
      'no-exception',
      () => {
        throw new RangeError('planted');
      },
    ],
  ])('is found as %s, with the message that causes it', async (oracle, validate) => {
    const { bugs } = await fuzzed(messageTarget({ validate }), 20);
    expect(bugs.map((bug) => bug.oracle)).toEqual([oracle]);
    expect(bugs[0]?.reproducers[0]?.contents.length).toBeLessThan(20);
  });
});

describe('a target in a child process', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'xds-inspect-fuzz-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const JOB = { target: 'planted', seed: 1, seconds: 1, inputs: 1, firstCase: 7 };
  const BEGIN = `
    import { writeFileSync } from 'node:fs';
    const job = JSON.parse(process.argv[2]);
    writeFileSync(job.progress, new Uint8Array(new Float64Array([job.firstCase, 1, 0]).buffer));`;

  it.each([
    ['no-hang', 'for (;;) {}'],
    ['no-exception', "Promise.reject(new Error('planted'));"],
    ['memory', 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length + 0.5));'],
  ])('is stopped or crashes, and reports the case as %s', async (oracle, code) => {
    const path = join(folder, `${oracle}.mjs`);
    writeFileSync(path, `${BEGIN}\n${code}\n`);
    // Only the endless loop is stopped by the watchdog, however slow the machine is.
    const patienceMs = oracle === 'no-hang' ? 2000 : 600_000;
    const { bugs } = await watchedRun(JOB, { program: pathToFileURL(path), patienceMs });
    expect(bugs, bugs[0]?.message).toMatchObject([{ oracle, case: 7 }]);
  });
});

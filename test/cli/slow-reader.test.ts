import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../src/io/output.js';
import { ROOT, startCli } from '../support/cli.js';
import { HALF_BROKEN, scenario, serving } from '../support/serving.js';

/** An output that has no room for live lines. */
function fullOutput(): Output & { text: string; gaps: string[]; waits: number } {
  return {
    text: '',
    waits: 0,
    gaps: [],
    isTerminal: false,
    columns: 80,
    rows: 24,
    write(text) {
      this.text += text;
    },
    offer(_line, gap) {
      this.gaps.push(gap(7));
    },
    async ready() {
      this.waits++;
    },
  };
}

async function run(argv: string[], variables = {}): Promise<ReturnType<typeof fullOutput>> {
  const stdout = fullOutput();
  await startCli(argv, variables, false, undefined, '', { stdout }).done;
  return stdout;
}

describe.concurrent('a reader that is too slow', () => {
  it.each([
    [['watch', '-o', 'ndjson', '--for', '300ms'], /^\{"at":"[^"]+","scope":"","kind":"dropped","count":7\}\n$/],
    [['watch', '-o', 'lines', '--for', '300ms'], /^… 7 lines dropped: output is not read fast enough\n$/],
    [['status', '-o', 'ndjson'], /"kind":"dropped","count":7/],
  ])('misses live events, and sees how many: %s', async (argv, gap) => {
    const stdout = await run([...argv, 'greeter'], await serving(scenario(HALF_BROKEN)));
    expect(stdout.gaps.length).toBeGreaterThan(0);
    for (const text of stdout.gaps) expect(text).toMatch(gap);
    expect(stdout.text).toBe('');
  });

  it('gets every event of a recording, which waits for it', async () => {
    const recording = join(ROOT, 'fixtures/recordings/first-look.xdsrec');
    const stdout = await run(['replay', recording, 'watch', '-o', 'ndjson']);
    expect(stdout.gaps).toEqual([]);
    expect(stdout.text.split('\n').length).toBeGreaterThan(10);
    expect(stdout.waits).toBeGreaterThan(0);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blockingWork } from '../../src/io/blocking-work.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const listener = (): void => {};

function listening(): void {
  for (const signal of SIGNALS) process.on(signal, listener);
  onTestFinished(() => {
    for (const signal of SIGNALS) process.off(signal, listener);
  });
}

const counts = (): number[] => SIGNALS.map((signal) => process.listenerCount(signal));

describe('blocking work', () => {
  it('runs without listeners for signals, which are there again afterwards', () => {
    listening();
    const before = counts();
    expect(blockingWork(counts)).toEqual([0, 0, 0]);
    expect(counts()).toEqual(before);
  });

  it('that throws restores the listeners', () => {
    listening();
    const before = counts();
    expect(() =>
      blockingWork(() => {
        throw new Error('injected');
      }),
    ).toThrow('injected');
    expect(counts()).toEqual(before);
  });

  it.each([
    ['validate', '[]', 0],
    ['check', 'no expectations', 65],
    ['serve', 'no scenario', 65],
    ['serve', '"@type": CDS', 65],
  ])('is what %s does with a file: %s', async (command, text, exit) => {
    const path = join(temporaryFolder(), 'file.yaml');
    writeFileSync(path, text);
    listening();
    const removed: unknown[] = [];
    const onRemoved = (event: unknown): void => void removed.push(event);
    process.on('removeListener', onRemoved);
    onTestFinished(() => void process.off('removeListener', onRemoved));
    expect((await runCli([command, path])).code).toBe(exit);
    expect(removed).toContain('SIGINT');
  });
});

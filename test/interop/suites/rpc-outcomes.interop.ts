import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportFigure } from '../support/report-figure.js';
import { type Compared, compareBatch } from '../support/rpc-outcomes/batch.js';

const SEED = Number(process.env.INTEROP_SEED ?? 1);
const COUNT = Number(process.env.INTEROP_COUNT ?? 200);
const BATCH = 200;
const MS_A_BATCH = 120_000;
const WANTED = 0.995;

describe('the predicted outcome of an RPC', () => {
  it(
    'equals the outcome in C-core, code and message',
    async () => {
      const compared: Compared[] = [];
      for (let done = 0; done < COUNT; done += BATCH)
        compared.push(...(await compareBatch(SEED * 10_000 + done, Math.min(BATCH, COUNT - done))));
      const decided = compared.filter(({ agrees }) => agrees !== undefined);
      const different = decided.filter(({ agrees }) => agrees === false);
      for (const one of different) console.log(described(one));
      if (different.length > 0) {
        const file = join(tmpdir(), `rpc-outcomes-${SEED}.json`);
        writeFileSync(file, JSON.stringify(different, null, 1));
        console.log(`the cases with their resources: ${file}`);
      }
      const failing = decided.filter(({ got }) => got.code !== 'OK').length;
      const alike = decided.length - different.length;
      reportFigure(
        `C-core on ${decided.length} random configurations (seed ${SEED}, ${failing} fail): ${alike} as predicted`,
      );
      expect(alike / decided.length).toBeGreaterThanOrEqual(WANTED);
      expect(decided.length).toBeGreaterThan(COUNT * 0.9);
      expect(failing).toBeGreaterThan(COUNT / 4);
    },
    MS_A_BATCH * Math.ceil(COUNT / BATCH),
  );
});

function described({ target, predicted, got }: Compared): string {
  const { outcome, status, paths, addresses } = predicted;
  const prediction = JSON.stringify(paths.length > 1 ? paths : { outcome, status, addresses });
  return `${target.name}\n  C-core:  ${JSON.stringify(got)}\n  predicted: ${prediction}`;
}

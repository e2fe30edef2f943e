import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportFigure } from '../report-figure.js';
import { type Compared, compareBatch, type OutcomePeer } from './batch.js';

const SEED = Number(process.env.INTEROP_SEED ?? 1);
const BATCH = 200;
const MS_A_BATCH = 120_000;

interface OutcomePlan extends OutcomePeer {
  /** The name of the client in figures. */
  name: string;
  /** The number of configurations by default. */
  count: number;
  /** The shares that must be as predicted. */
  codes: number;
  messages: number;
}

/** Compares the outcomes of RPCs of a real client with the predictions. */
export function outcomeSuite({ name, count: byDefault, codes, messages, ...peer }: OutcomePlan): void {
  const count = Number(process.env.INTEROP_COUNT ?? byDefault);
  describe('the predicted outcome of an RPC', () => {
    it(
      `equals the outcome in ${name}, code and message`,
      async () => {
        const compared: Compared[] = [];
        for (let done = 0; done < count; done += BATCH)
          compared.push(...(await compareBatch(peer, SEED * 10_000 + done, Math.min(BATCH, count - done))));
        const decided = compared.filter(({ agreement }) => agreement !== undefined);
        const different = decided.filter(({ agreement }) => agreement !== 'complete');
        for (const one of different) console.log(described(one, name));
        if (different.length > 0) {
          const file = join(tmpdir(), `rpc-outcomes-${peer.preset}-${SEED}.json`);
          writeFileSync(file, JSON.stringify(different, null, 1));
          console.log(`the cases with their resources: ${file}`);
        }
        const failing = decided.filter(({ got }) => got.code !== 'OK').length;
        const alike = decided.length - different.length;
        const withCode = decided.filter(({ agreement }) => agreement !== 'none').length;
        reportFigure(
          `${name} on ${decided.length} random configurations (seed ${SEED}, ${failing} fail): ${withCode} codes and ${alike} messages as predicted`,
        );
        expect(withCode / decided.length).toBeGreaterThanOrEqual(codes);
        expect(alike / decided.length).toBeGreaterThanOrEqual(messages);
        expect(decided.length).toBeGreaterThan(count * 0.8);
        expect(failing).toBeGreaterThan(count / 4);
      },
      MS_A_BATCH * Math.ceil(count / BATCH),
    );
  });
}

function described({ target, predicted, got }: Compared, name: string): string {
  const { outcome, status, paths, addresses } = predicted;
  const prediction = JSON.stringify(paths.length > 1 ? paths : { outcome, status, addresses });
  return `${target.name}\n  ${name}:  ${JSON.stringify(got)}\n  predicted: ${prediction}`;
}

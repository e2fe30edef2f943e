import { describe, expect, it } from 'vitest';
import { differential } from '../oracle/resources/differential.js';
import { commandOf } from '../support/built-peers.js';
import { seen } from '../support/seen.js';

const SEED = Number(process.env.INTEROP_SEED ?? 1);
const COUNT = Number(process.env.INTEROP_COUNT ?? 2_500);
/** Far more than they take. */
const MS_EACH = 100;

describe('new resources', () => {
  it(
    'are judged by C-core as they are here, to the letter',
    async () => {
      const { judged, agreed, refused, disagreements } = await differential(commandOf('c-core-oracle'), SEED, COUNT);
      for (const one of disagreements) console.log(JSON.stringify(one));
      seen(`C-core on ${judged} new responses (seed ${SEED}, ${refused} NACKed): ${agreed} judged alike`);
      expect(disagreements).toEqual([]);
      expect(judged).toBeGreaterThanOrEqual(COUNT);
      expect(refused).toBeGreaterThan(COUNT / 5);
    },
    60_000 + COUNT * MS_EACH,
  );
});

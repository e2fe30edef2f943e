import { expect, it } from 'vitest';
import { mutatedValue } from '../../tools/fuzz/files/text-mutation.js';
import { Dice } from '../../tools/oracle/mutation/dice.js';

it('changes a document in the same way for the same seed, whatever was changed before', () => {
  const changed = (seed: number): string => JSON.stringify(mutatedValue({ a: [1, { b: [2] }] }, new Dice(seed)));
  const seeds = Array.from({ length: 2000 }, (_, seed) => seed);
  const first = seeds.map(changed);
  expect(seeds.filter((seed, i) => changed(seed) !== first[i])).toEqual([]);
});

import { expect, it } from 'vitest';
import { inHashOrder } from '../../src/core/hash-order.js';

it.each<[string[], number, string[]]>([
  [['c2', 'c1', 'agg'], 3, ['c1', 'c2', 'agg']],
  [['svc', 'r', 'c'], 3, ['r', 'c', 'svc']],
  // Names of one bucket stay in the given order.
  [['BB', 'Aa'], 2, ['BB', 'Aa']],
])('a hash map of Java iterates %j with a size of %i as %j', (names, size, expected) => {
  expect(inHashOrder(names, size, (name) => name)).toEqual(expected);
});

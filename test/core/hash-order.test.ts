import { expect, it } from 'vitest';
import { inHashOrder } from '../../src/core/hash-order.js';

it.each<[string[], number, string[]]>([
  [['c2', 'c1', 'agg'], 3, ['agg', 'c1', 'c2']],
  [['c', 'r', 'svc'], 3, ['svc', 'r', 'c']],
  // Names of one bucket stay in the given order.
  [['BB', 'Aa'], 2, ['BB', 'Aa']],
])('a hash map of Java iterates %j with a size of %i as %j', (names, size, expected) => {
  expect(inHashOrder(names, size, (name) => name)).toEqual(expected);
});

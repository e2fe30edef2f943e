import { describe, expect, it } from 'vitest';
import { usableLocalities } from '../../src/routing/lb/usable-endpoints.js';

type Config = Parameters<typeof usableLocalities>[0];

/** The health of the endpoints that are usable for new RPCs, by priority and locality. */
function usable(priorities: string[][][]): string[][][] {
  const endpoints = {
    priorities: priorities.map((localities) =>
      localities.map((healths) => ({ endpoints: healths.map((health) => ({ health })) })),
    ),
  };
  const config = { kind: 'endpoints', endpoints: { endpoints } } as unknown as Config;
  return usableLocalities(config).map((localities) =>
    localities.map((locality) => locality.endpoints.map(({ health }) => health)),
  );
}

describe('the endpoints for new RPCs', () => {
  it.each<[title: string, sent: string[][][], usable: string[][][]]>([
    ['are all without a draining one', [[['healthy', 'unknown']]], [[['healthy', 'unknown']]]],
    [
      'omit a draining one in one of the localities',
      [[['healthy'], ['draining', 'healthy']]],
      [[['healthy'], ['healthy']]],
    ],
    ['omit a draining one in one of the priorities', [[['healthy']], [['draining']]], [[['healthy']], [[]]]],
    ['are one empty priority without endpoints', [], [[]]],
  ])('%s', (_, sent, expected) => {
    expect(usable(sent)).toEqual(expected);
  });
});

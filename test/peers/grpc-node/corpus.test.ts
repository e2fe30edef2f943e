import { describe, expect, it } from 'vitest';
import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import { nacks } from '../../../fixtures/resources/nacks-grpc-js-xds.json' with { type: 'json' };
import { getOrAdd } from '../../../src/base/get-or-add.js';
import { contextOf, type RecordedCase, responseOf } from '../../../tools/oracle/recorded-case.js';
import { mutatedVerdicts, recordedVerdicts } from '../../resources/recorded-results.js';
import { type NodeResult, validateAsNode } from './validate-as-node.js';

/** Cases in which the validator differs from the recording, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const CORPUS = recordedVerdicts('grpc-js-xds');
const NACKS: Readonly<Record<string, string>> = nacks;

/** The recorded client watched only this name, and grpc-js-xds ignores invalid resources that are not watched. */
const isWatched = (name: string): boolean => name === recorded.subscribed_name;

function variablesOf({ env = {} }: RecordedCase): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined]));
}

const results = new Map<RecordedCase, NodeResult>();

/** Several tests need the result of a case. */
function resultOf(one: RecordedCase): NodeResult {
  return getOrAdd(results, one, () =>
    validateAsNode(responseOf(one), { ...contextOf(one), variables: variablesOf(one) }, isWatched),
  );
}

describe('the validator of grpc-js-xds', () => {
  it('has the recorded verdict for every case of the corpus', () => {
    const wrong = CORPUS.filter(({ one, verdict }) => resultOf(one).verdict !== verdict).map(({ one }) => one.id);
    expect(CORPUS.length).toBeGreaterThan(2290);
    expect(wrong).toEqual(Object.keys(EXCEPTIONS));
  });

  it('has the recorded text for every NACK of the corpus', () => {
    const wrong = CORPUS.flatMap(({ one }) => {
      const entries = NACKS[one.id];
      const expected = entries === undefined ? undefined : `xDS response validation errors: [${entries}]`;
      const { nack } = resultOf(one);
      return nack === expected ? [] : [{ id: one.id, expected, nack }];
    });
    expect(wrong).toEqual([]);
  });

  it('has the recorded verdict for mutated resources', () => {
    const wrong = mutatedVerdicts('grpc-js-xds').filter(({ one, verdict }) => resultOf(one).verdict !== verdict);
    expect(wrong.map(({ one }) => one.id)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import { messages } from '../../../fixtures/resources/messages-grpc-java.json' with { type: 'json' };
import { newGrpcJavaValidator } from '../../../src/peers/grpc-java/response.js';
import { contextOf, type RecordedCase, responseOf } from '../../../tools/oracle/recorded-case.js';
import { mutatedVerdicts, recordedVerdicts } from '../../resources/recorded-results.js';

/** grpc-java prints the stack trace of an exception in these messages. */
const STACK_TRACES = [
  'rule-4.2-custom12',
  'rule-4.2-custom2',
  'rule-4.2-custom7',
  'rule-4.2-ringnum0',
  'rule-4.2-ringnum3',
  'rule-4.2-ringnum4',
  'rule-4.2-ringnum5',
  'rule-4.2-ringnum7',
];

/** Java adds the reason of the resolver to the first failed lookup of a host. */
const FIRST_LOOKUP = 'rule-2.5-rbac-perm-ok6';

/** The recorded client watched one resource. */
function validate(one: RecordedCase): { verdict: string; nack: string | undefined; hasModels: boolean } {
  const variables: Record<string, string | undefined> = { ...recorded.env };
  for (const [name, value] of Object.entries(one.env ?? {})) variables[name] = value ?? undefined;
  const { typeUrl, resources } = responseOf(one);
  const isWatched = (name: string): boolean => name === recorded.subscribed_name;
  const validator = newGrpcJavaValidator(typeUrl, { ...contextOf(one), variables }, undefined, isWatched);
  const validated = [...resources].flatMap((any, index) => validator.validate(any, index) ?? []);
  const hasModels = validated.every(
    ({ name, errors, result }) => name !== recorded.subscribed_name || errors.length > 0 || result?.ok === true,
  );
  return { verdict: validator.verdict.replace('IGNORED', 'NONE'), nack: validator.nack, hasModels };
}

describe('the validator of grpc-java on recorded responses', () => {
  const corpus = recordedVerdicts('grpc-java').map(({ one, verdict }) => ({
    id: one.id,
    verdict,
    ours: validate(one),
  }));

  it('has the same verdicts', () => {
    const different = corpus.filter(({ verdict, ours }) => ours.verdict !== verdict).map(({ id }) => id);
    expect(corpus.length).toBe(2298);
    expect(different).toEqual([]);
  });

  it('has the same messages, except for stack traces and the first lookup of a host', () => {
    const texts: Record<string, string> = messages;
    const different = corpus.filter(({ id, ours }) => ours.nack !== texts[id]).map(({ id }) => id);
    expect(different.sort()).toEqual([FIRST_LOOKUP, ...STACK_TRACES].sort());
    expect(Object.keys(texts).length).toBe(1458);
  });

  it('has a model of every resource that it accepts', () => {
    expect(corpus.filter(({ ours }) => !ours.hasModels).map(({ id }) => id)).toEqual([]);
  });

  it('has the same verdicts for random mutations', () => {
    const different = mutatedVerdicts('grpc-java').filter(({ one, verdict }) => validate(one).verdict !== verdict);
    expect(different.map(({ one }) => one.id)).toEqual([]);
  });
});

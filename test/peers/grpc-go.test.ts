import { describe, expect, it } from 'vitest';
import nacks from '../../fixtures/resources/nacks-grpc-go.json' with { type: 'json' };
import { newGrpcGoValidator } from '../../src/peers/grpc-go/response-validator.js';
import type { ValidatedResource } from '../../src/resources/response-validator.js';
import { contextOf, type RecordedCase, responseOf } from '../../tools/oracle/recorded-case.js';
import { mutatedVerdicts, recordedVerdicts } from '../resources/recorded-results.js';

const MESSAGES: Readonly<Record<string, string>> = nacks.messages;

/** Cases whose message depends on the random order of Go's maps. */
const RANDOM_ORDER = ['rule-3.6-many-keys', 'resp-12-bad', 'resp-30-bad'];

/**
 * Cases that grpc-go accepts and C-core cannot decode: their messages are nested more deeply than C-core's decoder allows.
 */
const WITHOUT_MODEL = ['wire-depth-48', 'wire-depth-49', 'wire-depth-60', 'wire-depth-200'];

interface Outcome {
  verdict: string;
  nack: string | undefined;
  resources: ValidatedResource[];
}

function validated(one: RecordedCase): Outcome {
  const response = responseOf(one);
  const validator = newGrpcGoValidator(response.typeUrl, contextOf(one));
  const resources = [...response.resources].flatMap((any, index) => validator.validate(any, index) ?? []);
  const { verdict, nack } = validator;
  return { verdict: verdict === 'IGNORED' ? 'NONE' : verdict, nack, resources };
}

/** Go separates the fields of messages by one or two spaces. */
function normalized(text: string | undefined): string | undefined {
  return text?.replace(/ +/g, ' ');
}

const outcomes = [...recordedVerdicts('grpc-go'), ...mutatedVerdicts('grpc-go')].map(({ one, verdict }) => ({
  one,
  verdict,
  outcome: validated(one),
}));

describe('the validator of grpc-go', () => {
  it('accepts and rejects all recorded responses as grpc-go', () => {
    const wrong = outcomes
      .filter(({ verdict, outcome }) => outcome.verdict !== verdict)
      .map(({ one, verdict, outcome }) => `${one.id}: recorded ${verdict}, not ${outcome.verdict} ${outcome.nack}`);
    expect(wrong).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(2290);
  });

  it('writes the recorded NACK messages except for the random order of maps', () => {
    const wrong = outcomes
      .filter(({ one, outcome }) => Object.hasOwn(MESSAGES, one.id) && normalized(outcome.nack) !== MESSAGES[one.id])
      .map(({ one }) => one.id);
    expect(wrong).toEqual(RANDOM_ORDER);
    expect(Object.keys(MESSAGES).length).toBeGreaterThan(1400);
  });

  it('gives a representation of every resource that grpc-go accepts', () => {
    const missing = outcomes.flatMap(({ one, outcome }) =>
      outcome.resources.filter(({ errors, result }) => errors.length === 0 && !result?.ok).map(() => one.id),
    );
    expect(missing).toEqual(WITHOUT_MODEL);
  });

  it('gives watchers the error of their resource without the context of the response', () => {
    const [resource] = outcomes.find(({ one }) => one.id === 'gen-c2-combo11')?.outcome.resources ?? [];
    expect(resource?.watcherMessage).toMatch(/^CDS's EDS config source is not ADS or Self: name:"foo"/);
    expect(resource?.result).toMatchObject({ ok: false, problems: [{ path: 'eds_cluster_config' }] });
  });
});

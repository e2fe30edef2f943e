import recorded from '../../fixtures/resources/c-core.json' with { type: 'json' };
import envoy from '../../fixtures/resources/verdicts-envoy.json' with { type: 'json' };
import go from '../../fixtures/resources/verdicts-grpc-go.json' with { type: 'json' };
import java from '../../fixtures/resources/verdicts-grpc-java.json' with { type: 'json' };
import js from '../../fixtures/resources/verdicts-grpc-js-xds.json' with { type: 'json' };
import mutated from '../../fixtures/resources/verdicts-mutated.json' with { type: 'json' };
import type { Implementation } from '../../src/peers/note.js';
import type { RecordedCase } from '../../tools/oracle/recorded-case.js';
import { withAds } from './with-ads.js';

export interface RecordedVerdict {
  one: RecordedCase;
  /** ACK, NACK, NONE, HELD, CRASH. */
  verdict: string;
}

const CORPUS = recorded.cases as RecordedCase[];
const VERDICTS: Record<Implementation, Record<string, string>> = {
  'grpc-go': go.verdicts,
  'grpc-java': java.verdicts,
  'grpc-js-xds': js.verdicts,
  envoy: envoy.verdicts,
};

/**
 * Returns the recorded results of an implementation. For grpc-go, some resources were also recorded with `ads` instead
 * of `self`.
 */
export function recordedVerdicts(implementation: Implementation): RecordedVerdict[] {
  const asIs = pair(CORPUS, VERDICTS[implementation]);
  if (implementation !== 'grpc-go') return asIs;
  return [...asIs, ...pair(CORPUS, go.with_ads).map(({ one, verdict }) => ({ one: withAds(one), verdict }))];
}

/** Returns the recorded results for random mutations that revealed wrong or missing notes. */
export function mutatedVerdicts(implementation: Implementation): RecordedVerdict[] {
  return mutated.cases.map((one) => ({ one: one as RecordedCase, verdict: one.verdicts[implementation] }));
}

function pair(cases: readonly RecordedCase[], verdicts: Readonly<Record<string, string>>): RecordedVerdict[] {
  return cases.flatMap((one) => {
    const verdict = verdicts[one.id];
    return verdict === undefined ? [] : [{ one, verdict }];
  });
}

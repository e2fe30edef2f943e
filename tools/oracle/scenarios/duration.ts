import type { ClientScenario } from '../conformance/client/recording.js';

const EXPECT_S = 6;
/** The approximate backoff before a new stream. */
const BACKOFF_S = 1;

/** Estimates the duration of a scenario from its script and its recording. */
export function secondsOf({ steps, expected }: ClientScenario): number {
  return steps.reduce((sum, { op, seconds = 0, settle = 0.4, absent, timeout = EXPECT_S, stream = 1 }, index) => {
    const rpc = expected.rpcs.find(({ step }) => step === index)?.seconds ?? 0;
    if (absent === true) return sum + timeout;
    if (op === 'wait') return sum + seconds;
    if (op === 'csds') return sum + settle;
    if (op === 'expectStream' && stream > 1) return sum + BACKOFF_S;
    return op === 'rpc' || op === 'join' ? sum + 0.2 + rpc : sum;
  }, 0);
}

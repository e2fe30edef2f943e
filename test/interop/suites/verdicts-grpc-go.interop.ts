import { it } from 'vitest';
import go from '../../../fixtures/resources/verdicts-grpc-go.json' with { type: 'json' };
import { withAds } from '../../resources/with-ads.js';
import { mutations } from '../support/mutations.js';
import { liveVerdicts } from '../support/verdict-client.js';
import { CORPUS, checkNotes, verdictSuite } from '../support/verdict-suite.js';

const ADAPTED = CORPUS.filter(({ id }) => id in go.with_ads).map(withAds);
const KNOWN: Record<string, string> = {
  ...go.verdicts,
  ...Object.fromEntries(Object.entries(go.with_ads).map(([id, verdict]) => [`${id} with ads`, verdict])),
};

verdictSuite({
  implementation: 'grpc-go',
  peer: 'grpc-go-verdicts',
  cases: [...CORPUS, ...ADAPTED],
  known: KNOWN,
  share: 0.99,
});

it('decides about mutations of what it takes as the notes say', async () => {
  const taken = [...CORPUS, ...ADAPTED].filter(({ id }) => KNOWN[id] === 'ACK');
  const made = mutations(taken, Number(process.env.SEED ?? 1));
  const cases = Array.from({ length: Number(process.env.COUNT ?? 600) }, () => withAds(made.next().value));
  checkNotes('on mutations', 'grpc-go', cases, await liveVerdicts('grpc-go-verdicts', cases), 0.9);
});

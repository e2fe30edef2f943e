import go from '../../../fixtures/resources/verdicts-grpc-go.json' with { type: 'json' };
import { withAds } from '../../resources/with-ads.js';
import { liveVerdicts } from '../support/verdict-client.js';
import { CORPUS, verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'grpc-go',
  cases: [...CORPUS, ...CORPUS.filter(({ id }) => id in go.with_ads).map(withAds)],
  known: {
    ...go.verdicts,
    ...Object.fromEntries(Object.entries(go.with_ads).map(([id, verdict]) => [`${id} with ads`, verdict])),
  },
  share: 0.99,
  ask: (cases) => liveVerdicts('grpc-go-verdicts', cases),
  adapt: withAds,
});

import { withAds } from '../../resources/with-ads.js';
import { liveVerdicts } from '../support/verdict-client.js';
import { verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'grpc-go',
  share: 0.99,
  validate: (cases) => liveVerdicts('grpc-go-verdicts', cases),
  adapt: withAds,
});

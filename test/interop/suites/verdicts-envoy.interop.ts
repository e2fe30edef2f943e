import envoy from '../../../fixtures/resources/verdicts-envoy.json' with { type: 'json' };
import { envoyVerdicts } from '../support/envoy-verdicts.js';
import { CORPUS, verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'envoy',
  cases: CORPUS,
  known: envoy.verdicts,
  share: 0.99,
  ask: envoyVerdicts,
});

import java from '../../../fixtures/resources/verdicts-grpc-java.json' with { type: 'json' };
import { liveVerdicts } from '../support/verdict-client.js';
import { CORPUS, verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'grpc-java',
  cases: CORPUS,
  known: java.verdicts,
  share: 0.98,
  ask: (cases) => liveVerdicts('grpc-java-verdicts', cases),
});

import { liveVerdicts } from '../support/verdict-client.js';
import { verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'grpc-java',
  share: 0.98,
  validate: (cases) => liveVerdicts('grpc-java-verdicts', cases),
});

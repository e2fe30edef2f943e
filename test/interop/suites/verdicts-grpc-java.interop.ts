import java from '../../../fixtures/resources/verdicts-grpc-java.json' with { type: 'json' };
import { CORPUS, verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'grpc-java',
  peer: 'grpc-java-verdicts',
  cases: CORPUS,
  known: java.verdicts,
  share: 0.97,
});

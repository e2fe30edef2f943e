import { envoyVerdicts } from '../support/envoy-verdicts.js';
import { verdictSuite } from '../support/verdict-suite.js';

verdictSuite({ implementation: 'envoy', share: 0.99, validate: envoyVerdicts });

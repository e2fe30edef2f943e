import js from '../../../fixtures/resources/verdicts-grpc-js-xds.json' with { type: 'json' };
import { type Completion, liveVerdicts } from '../support/verdict-client.js';
import { CORPUS, verdictSuite } from '../support/verdict-suite.js';

/** Its parser demands a locality, and how often files are read again. */
const complete: Completion = ({ node, certificate_providers, ...others }) => ({
  ...others,
  node: { ...node, locality: {} },
  certificate_providers: Object.fromEntries(
    Object.entries(certificate_providers ?? {}).map(([name, { plugin_name, config }]) => [
      name,
      { plugin_name, config: { refresh_interval: '600s', ...config } },
    ]),
  ),
});

verdictSuite({
  implementation: 'grpc-js-xds',
  cases: CORPUS,
  known: js.verdicts,
  share: 0.96,
  ask: (cases) => liveVerdicts('grpc-js-xds-verdicts', cases, complete),
});

import js from '../../../fixtures/resources/verdicts-grpc-js-xds.json' with { type: 'json' };
import { CORPUS, verdictSuite } from '../support/verdict-suite.js';

verdictSuite({
  implementation: 'grpc-js-xds',
  peer: 'grpc-js-xds-verdicts',
  cases: CORPUS,
  known: js.verdicts,
  share: 0.96,
  // Its parser demands a locality, and how often files are read again.
  complete: ({ node, certificate_providers, ...others }) => ({
    ...others,
    node: { ...node, locality: {} },
    certificate_providers: Object.fromEntries(
      Object.entries(certificate_providers ?? {}).map(([name, { plugin_name, config }]) => [
        name,
        { plugin_name, config: { refresh_interval: '600s', ...config } },
      ]),
    ),
  }),
});

import { type Completion, liveVerdicts } from '../support/verdict-client.js';
import { verdictSuite } from '../support/verdict-suite.js';

/** Its bootstrap parser requires a locality, and the refresh interval of files. */
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
  share: 0.96,
  validate: (cases) => liveVerdicts('grpc-js-xds-verdicts', cases, complete),
});

import type { Preset } from '../../../src/bootstrap/switches.js';
import type { RecordingHeader } from '../../../src/engine/recording/header.js';
import type { Dice } from '../../oracle/mutation/dice.js';

/** The start time of generated sessions. */
const START = Date.UTC(2026, 0, 2, 3, 4, 5);

const FEATURES = [
  'ignore_resource_deletion',
  'fail_on_data_errors',
  'resource_timer_is_transient_error',
  'trusted_xds_server',
  'xds_v3',
];

const SWITCHES = [
  'GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING',
  'GRPC_EXPERIMENTAL_XDS_FALLBACK',
  'GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK',
  'GRPC_EXPERIMENTAL_XDS_FEDERATION',
];

/** Generates the settings of a client as the header of its recording: bootstrap, preset, switches and seed. */
export function generateHeader(dice: Dice): RecordingHeader {
  const servers = ['s0', 's1', 's2'].slice(0, 1 + dice.below(3)).map((name) => server(dice, name));
  const auth = dice.pick([[], [...servers].reverse(), [server(dice, 't0'), server(dice, 't1')]]);
  const preset: Preset = dice.chance(0.6) ? 'spec' : 'c-core';
  return {
    schema: 'xds-inspect/recording/v1',
    tool: 'xds-inspect',
    version: 'fuzz',
    start: START,
    as: preset,
    source: 'npm run fuzz',
    bootstrap: {
      xds_servers: servers,
      node: { id: dice.pick(['node', '', 'n\u001b[1m']), metadata: { a: 1 } },
      authorities: { auth: { xds_servers: auth, fallback_on_reachability_only: dice.chance(0.3) } },
    },
    variables: Object.fromEntries(SWITCHES.filter(() => dice.chance(0.2)).map((name) => [name, `${dice.chance(0.5)}`])),
    userAgent: { name: 'fuzz', version: '0' },
    interfaces: { lo: 1 },
    seed: dice.below(1000),
    tearGraceMs: dice.pick([null, null, 0, 1000]),
    secrets: 'kept',
  };
}

function server(dice: Dice, name: string): object {
  return {
    server_uri: `${name}.example:443`,
    channel_creds: [{ type: 'insecure' }],
    server_features: FEATURES.filter(() => dice.chance(0.25)),
  };
}

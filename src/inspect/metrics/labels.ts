import { SEVERITIES } from '../../base/finding.js';
import { PRESET_NAMES } from '../../bootstrap/preset-names.js';
import type { TearKind } from '../../deps/tears/tear.js';
import { PROTOCOL_FINDINGS } from '../../findings/protocol-catalogue.js';
import { CAUSE_CODES, VERDICTS } from '../verdict/verdict.js';

/** A label of metrics. */
export interface Label {
  /** Its values, if they do not depend on targets, files or a control plane. */
  values?: readonly string[];
  description: string;
}

/** The values of `grpc.xds.cache_state` in A78 and A88. */
export const CACHE_STATES = [
  'requested',
  'acked',
  'nacked',
  'nacked_but_cached',
  'does_not_exist',
  'does_not_exist_but_cached',
  'received_error',
  'received_error_but_cached',
  'timeout',
] as const;

/** The verdicts on targets of a client of this process. */
export const LIVE_VERDICTS = VERDICTS.filter((word) => word !== 'unknown');

export const TEAR_KINDS = [
  'dangling-cluster',
  'dangling-endpoints',
  'listener-route-skew',
  'mixed-servers',
  'flap',
  'removed-in-use',
] as const satisfies readonly TearKind[];

/** All labels, with the names of OpenTelemetry. The first ones are those of A78. */
export const LABELS = {
  'grpc.target': {
    description:
      'client_scope of the xDS client (A71): the target `xds:///greeter`, `#server` for servers, `get` for the command `get`',
  },
  'grpc.xds.server': { description: '`server_uri` of the xDS server' },
  'grpc.xds.authority': { description: 'authority of `xdstp:` names, `#old` for all other names' },
  'grpc.xds.cache_state': { values: CACHE_STATES, description: 'state of the resource in the cache' },
  'grpc.xds.resource_type': { description: 'message name: `envoy.config.listener.v3.Listener`' },
  target: { description: 'target in its complete form: `xds:///greeter`' },
  verdict: { values: LIVE_VERDICTS, description: 'verdict on the target' },
  cause: { values: CAUSE_CODES, description: 'code of the cause of the verdict' },
  kind: { values: TEAR_KINDS, description: 'kind of the tear' },
  code: { values: Object.keys(PROTOCOL_FINDINGS), description: 'code of the finding' },
  severity: { values: SEVERITIES, description: 'severity of the finding' },
  version: { description: 'version of xds-inspect' },
  as: { values: PRESET_NAMES, description: 'client behaviour (`--as`)' },
  node_id: { description: 'node ID that the client sends' },
} as const satisfies Record<string, Label>;

export type LabelName = keyof typeof LABELS;

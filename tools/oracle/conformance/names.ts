import type { Bootstrap } from '../../../src/bootstrap/bootstrap.js';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../../src/bootstrap/switches.js';
import { resolveTarget } from '../../../src/bootstrap/target.js';
import { engineOptions } from '../../../src/engine/options.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import type { Comparison } from './comparison.js';
import { watchOne } from './watch-one.js';

/** Recorded cluster names and targets. */
export interface NameRecording {
  authorities: string[];
  cases: (ClusterNameCase | TargetCase)[];
}

interface ClusterNameCase {
  kind: 'cluster-name';
  name: string;
  wire: string | null;
  rpc?: string;
}

interface TargetCase {
  kind: 'target';
  bootstrap: Record<string, unknown>;
  target: string;
  options?: [string, string][];
  listener?: string;
  client_scope?: string;
  authority?: string;
  rpc?: string;
}

const ENVIRONMENT = {
  preset: 'c-core' as const,
  variables: {},
  userAgentName: '',
  userAgentVersion: '',
  interfaces: new Map<string, number>(),
  seed: 1,
};

export function compareNames(recording: NameRecording, comparison: Comparison): void {
  const bootstrap = bootstrapWith({ authorities: Object.fromEntries(recording.authorities.map((name) => [name, {}])) });
  for (const one of recording.cases) {
    if (one.kind === 'cluster-name') compareClusterName(one, bootstrap, comparison);
    else compareTarget(one, comparison);
  }
}

function compareClusterName(one: ClusterNameCase, bootstrap: Bootstrap, comparison: Comparison): void {
  const { firstRequest, error } = watchOne(engineOptions(bootstrap, ENVIRONMENT), RESOURCE_TYPES.CDS, one.name);
  comparison.compare(one.name, 'wire', one.wire, firstRequest?.resourceNames[0] ?? null);
  if (one.rpc === undefined) return;
  const rpc = error === undefined ? undefined : `UNAVAILABLE: CDS resource ${one.name}: ${error.message}`;
  comparison.compare(one.name, 'rpc', one.rpc, rpc);
}

function compareTarget(one: TargetCase, comparison: Comparison): void {
  const { case: _case, ...rest } = one.bootstrap;
  const options = new Map(one.options);
  const resolved = resolveTarget(one.target, bootstrapWith(rest), {
    preset: 'c-core',
    switches: readSwitches({}, 'c-core'),
    defaultAuthority: options.get('grpc.default_authority') ?? options.get('grpc.ssl_target_name_override'),
  });
  const resolution = resolved.ok ? resolved.resolution : undefined;
  comparison.compare(one.target, 'listener', one.listener, resolution?.listener);
  comparison.compare(one.target, 'client_scope', one.client_scope, resolution?.scope);
  comparison.compare(one.target, 'authority', one.authority, resolution?.dataPlaneAuthority);
  comparison.compare(one.target, 'rpc', one.rpc, resolved.ok ? undefined : `${resolved.status}: ${resolved.message}`);
}

function bootstrapWith(fields: object): Bootstrap {
  const text = JSON.stringify({
    xds_servers: [{ server_uri: '127.0.0.1:1', channel_creds: [{ type: 'insecure' }] }],
    node: { id: 'node-1' },
    ...fields,
  });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches({}, 'c-core'));
  if (!read.ok) throw new Error(`a recorded bootstrap cannot be used: ${read.message}`);
  return read.bootstrap;
}

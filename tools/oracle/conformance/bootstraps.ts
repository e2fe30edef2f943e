import type { Bootstrap } from '../../../src/bootstrap/bootstrap.js';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../../src/bootstrap/switches.js';
import { resolveTarget } from '../../../src/bootstrap/target.js';
import { engineOptions } from '../../../src/engine/options.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { structToJson } from '../../../src/resources/common/struct-json.js';
import type { Comparison } from './comparison.js';
import { watchOne } from './watch-one.js';

/** Recorded bootstraps, each with the outcome in C-core. */
export interface BootstrapRecording {
  env: Record<string, string>;
  default_target: string;
  cases: BootstrapCase[];
}

interface BootstrapCase {
  id: string;
  env?: Record<string, string | null>;
  config?: string | null;
  file?: string;
  file_path?: string;
  target?: string;
  expect: {
    outcome: string;
    message?: string;
    first_request?: { resource_names: string[]; node: Record<string, unknown> };
  };
}

/** Compares the outcome, its message, and the names and node of the first request. */
export function compareBootstraps(recording: BootstrapRecording, comparison: Comparison): void {
  for (const one of recording.cases) {
    const { outcome, message, first_request: request } = one.expect;
    const variables: Record<string, string | undefined> = { ...recording.env };
    for (const [name, value] of Object.entries(one.env ?? {})) variables[name] = value ?? undefined;
    const read = readFrom(one, variables);
    comparison.compare(one.id, 'outcome', outcome, read.ok ? 'ok' : 'error');
    comparison.compare(one.id, 'message', message, read.ok ? undefined : read.message);
    if (request === undefined || !read.ok) continue;
    const first = firstRequest(read.bootstrap, one.target ?? recording.default_target, variables);
    const { user_agent_name: _name, user_agent_version: _version, ...node } = request.node;
    comparison.compare(one.id, 'resource_names', request.resource_names, first?.names);
    comparison.compare(one.id, 'node', node, first?.node);
  }
}

function readFrom(
  { file, file_path: path, config }: BootstrapCase,
  variables: Record<string, string | undefined>,
): { ok: true; bootstrap: Bootstrap } | { ok: false; message: string } {
  if (path !== undefined) {
    return { ok: false, message: `Failed to load file: ${path} due to error(fdopen): No such file or directory` };
  }
  const text = file ?? config ?? undefined;
  if (text === undefined) {
    return { ok: false, message: 'Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined' };
  }
  return readBootstrap(new TextEncoder().encode(text), readSwitches(variables, 'c-core'));
}

function firstRequest(
  bootstrap: Bootstrap,
  target: string,
  variables: Record<string, string | undefined>,
): { names: readonly string[]; node: unknown } | undefined {
  const switches = readSwitches(variables, 'c-core');
  const resolved = resolveTarget(target, bootstrap, { preset: 'c-core', switches, defaultAuthority: undefined });
  if (!resolved.ok) return undefined;
  const environment = { preset: 'c-core' as const, variables, userAgentName: '', userAgentVersion: '', seed: 1 };
  const options = engineOptions(bootstrap, { ...environment, interfaces: new Map() });
  const { firstRequest: request } = watchOne(options, RESOURCE_TYPES.LDS, resolved.resolution.listener);
  const node = request?.node;
  if (request === undefined || node === undefined) return undefined;
  const { region, zone, subZone } = node.locality ?? { region: '', zone: '', subZone: '' };
  return {
    names: request.resourceNames,
    node: {
      id: node.id || undefined,
      cluster: node.cluster || undefined,
      metadata: node.metadata && structToJson(node.metadata),
      locality: node.locality && {
        region: region || undefined,
        zone: zone || undefined,
        sub_zone: subZone || undefined,
      },
      client_features: node.clientFeatures,
    },
  };
}

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Bootstrap } from '../../../src/bootstrap/bootstrap.js';
import { bootstrapReader } from '../../../src/bootstrap/readers/readers.js';
import { type Preset, readSwitches } from '../../../src/bootstrap/switches.js';
import { resolveTarget } from '../../../src/bootstrap/target.js';
import { engineOptions } from '../../../src/engine/options.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { structToJson } from '../../../src/resources/common/struct-json.js';
import type { Comparison } from './comparison.js';
import { watchOne } from './watch-one.js';

/** Recorded bootstraps, each with the outcome in one client. */
export interface BootstrapRecording {
  env: Record<string, string>;
  default_target: string;
  cases: BootstrapCase[];
  /** The recording of C-core that has the inputs. */
  corpus?: string;
  /** The client of a recording with a corpus. */
  as?: Preset;
  /** Replaces the word PORT in the inputs. */
  port?: string;
}

interface Outcome {
  /** `crash`: the process ends. */
  outcome: string;
  message?: string;
  first_request?: { resource_names: string[]; node?: Record<string, unknown> };
}

interface BootstrapCase {
  id: string;
  env?: Record<string, string | null>;
  config?: string | null;
  file?: string | undefined;
  file_path?: string;
  target?: string;
  expect: Outcome;
  /** The outcome if the bootstrap has a complete node, which grpc-js-xds requires. */
  with_node?: Outcome;
}

const FIXTURES = join(import.meta.dirname, '../../../fixtures/bootstrap');

/** Compares the outcome, its message, and the names and node of the first request. */
export function compareBootstraps(recording: BootstrapRecording, comparison: Comparison): void {
  const preset = recording.as ?? 'c-core';
  for (const one of casesOf(recording)) {
    const { outcome, message, first_request: request } = one.expect;
    const variables: Record<string, string | undefined> = { ...recording.env };
    for (const [name, value] of Object.entries(one.env ?? {})) variables[name] = value ?? undefined;
    const read = readFrom(one, preset, variables);
    comparison.compare(one.id, 'outcome', outcome === 'ok' ? 'ok' : 'error', read.ok ? 'ok' : 'error');
    comparison.compare(one.id, 'message', message, read.ok ? undefined : read.message);
    if (request === undefined || !read.ok) continue;
    const first = firstRequest(read.bootstrap, one.target ?? recording.default_target, preset, variables);
    comparison.compare(one.id, 'resource_names', request.resource_names, first?.names);
    if (request.node === undefined) continue;
    const { user_agent_name: _name, user_agent_version: _version, ...node } = request.node;
    comparison.compare(one.id, 'node', node, first?.node);
  }
}

/** The cases with their inputs, which the recordings of other clients take from that of C-core. */
function casesOf({ cases, corpus, port = 'PORT' }: BootstrapRecording): BootstrapCase[] {
  if (corpus === undefined) return cases;
  const inputs = JSON.parse(readFileSync(join(FIXTURES, basename(corpus)), 'utf8')) as BootstrapRecording;
  const byId = new Map(inputs.cases.map((one) => [one.id, one]));
  return cases.flatMap(({ id, expect, with_node: withNode }) => {
    const input = byId.get(id);
    if (input === undefined) return [];
    const config = input.config?.replaceAll('PORT', port) ?? null;
    const own = { ...input, config, expect };
    const complete = withNode === undefined ? undefined : completeNode(input.file ?? config ?? '');
    if (withNode === undefined || complete === undefined) return [own];
    return [own, { ...own, id: `${id} with a node`, file: undefined, config: complete, expect: withNode }];
  });
}

/** Adds an id and a locality to the node of a bootstrap. */
function completeNode(text: string): string | undefined {
  const bootstrap = JSON.parse(text) as { node?: object | null };
  const { node } = bootstrap;
  const complete = { ...node, id: (node as { id?: unknown } | undefined)?.id ?? 'x' };
  return JSON.stringify({ ...bootstrap, node: { locality: {}, ...complete } });
}

/** The path in messages about a file. */
const FILE = 'FILE';

function readFrom(
  { file, file_path: path, config }: BootstrapCase,
  preset: Preset,
  variables: Record<string, string | undefined>,
): { ok: true; bootstrap: Bootstrap } | { ok: false; message: string } {
  const reader = bootstrapReader(preset);
  if (path !== undefined && !(path === '' && reader.ignoresEmptyVariables))
    return { ok: false, message: reader.unreadable(path, 'ENOENT', '') };
  const text = file ?? config ?? undefined;
  if (text === undefined) return { ok: false, message: reader.missing };
  const switches = readSwitches(variables, preset);
  return reader.read(new TextEncoder().encode(text), switches, file === undefined ? undefined : FILE);
}

function firstRequest(
  bootstrap: Bootstrap,
  target: string,
  preset: Preset,
  variables: Record<string, string | undefined>,
): { names: readonly string[]; node: unknown } | undefined {
  const switches = readSwitches(variables, preset);
  const resolved = resolveTarget(target, bootstrap, { preset, switches, defaultAuthority: undefined });
  if (!resolved.ok) return undefined;
  const environment = { preset, variables, userAgentName: '', userAgentVersion: '', seed: 1 };
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

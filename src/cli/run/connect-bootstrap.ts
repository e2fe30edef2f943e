import { readFileSync } from 'node:fs';
import { Misuse } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import { readJson } from '../../base/json/reader.js';
import type { Bootstrap, BootstrapNode } from '../../bootstrap/bootstrap.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import type { Switches } from '../../bootstrap/switches.js';
import { findBootstrap } from '../../io/bootstrap-source.js';
import type { CliEnvironment } from '../environment.js';
import type { Values } from '../option.js';
import type { connectingOptions } from '../options/connecting.js';
import type { Printer } from '../printer.js';

export interface FoundBootstrap {
  /** Where it came from. */
  origin: string;
  bootstrap: Bootstrap;
}

/** What decides about the bootstrap. */
export type BootstrapInput = Pick<
  Values<typeof connectingOptions>,
  'bootstrap' | 'server' | 'plaintext' | 'cacert' | 'cert' | 'key' | 'nodeId' | 'nodeMetadata'
>;

/** The bootstrap to connect with: a file, the environment's, or one made of `--server`; with what flags change in it. */
export async function connectBootstrap(
  input: BootstrapInput,
  switches: Switches,
  out: Printer,
  env: CliEnvironment,
): Promise<FoundBootstrap> {
  const { server } = input;
  const found =
    server === undefined ? await fromSource(input, switches, env) : fromServer({ ...input, server }, switches);
  return { ...found, bootstrap: { ...found.bootstrap, node: changedNode(found.bootstrap.node, input, out) } };
}

async function fromSource(input: BootstrapInput, switches: Switches, env: CliEnvironment): Promise<FoundBootstrap> {
  const useless = (['plaintext', 'cacert', 'cert', 'key'] as const).find((flag) => input[flag]);
  if (useless !== undefined) throw new Misuse(`--${useless} requires --server`);
  const source = await findBootstrap(input.bootstrap, env);
  if (source.kind === 'unreadable') {
    throw new InputProblem(`${source.explanation}; --server host:port does without one`);
  }
  return { origin: source.name, bootstrap: parseBootstrap(source, input.bootstrap, switches, env) };
}

/** A bootstrap that gRPC accepts, or its message. */
export function parseBootstrap(
  { name, bytes }: { name: string; bytes: Uint8Array },
  typed: string | undefined,
  switches: Switches,
  { program }: CliEnvironment,
): Bootstrap {
  const read = readBootstrap(bytes, switches);
  if (read.ok) return read.bootstrap;
  const hint = `see: ${program} bootstrap validate ${typed ?? ''}`.trimEnd();
  throw new InputProblem(`${name}: gRPC rejects this bootstrap: ${read.message}\n${hint}`);
}

function fromServer(input: BootstrapInput & { server: string }, switches: Switches): FoundBootstrap {
  const { server, bootstrap, plaintext, cacert, cert, key } = input;
  if (bootstrap !== undefined) throw new Misuse('--server takes the place of --bootstrap: give one');
  if ((cert === undefined) !== (key === undefined)) throw new Misuse('--cert and --key go together');
  if (plaintext && (cacert !== undefined || cert !== undefined)) throw new Misuse('--plaintext excludes certificates');
  if (!/^[^/]*[^/:]:\d+$/.test(server) && !/^(dns|ipv[46]|unix|xds):/.test(server)) {
    throw new Misuse(`--server takes host:port, not "${server}"`);
  }
  for (const path of [cacert, cert, key]) if (path !== undefined) mustBeReadable(path);
  const files = { ca_certificate_file: cacert, certificate_file: cert, private_key_file: key };
  const creds = plaintext ? { type: 'insecure' } : { type: 'tls', config: files };
  const text = JSON.stringify({ xds_servers: [{ server_uri: server, channel_creds: [creds] }], node: { id: '' } });
  const read = readBootstrap(new TextEncoder().encode(text), switches);
  if (!read.ok) throw new Misuse(`--server ${server}: ${read.message}`);
  return { origin: `--server ${server}`, bootstrap: read.bootstrap };
}

function mustBeReadable(path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    throw new InputProblem(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Control planes serve by node: whoever changes it sees that. */
function changedNode(
  node: BootstrapNode | undefined,
  { nodeId, nodeMetadata }: BootstrapInput,
  out: Printer,
): BootstrapNode | undefined {
  if (nodeId === undefined && nodeMetadata.length === 0) return node;
  const base = node ?? { id: '', cluster: '', locality: { region: '', zone: '', subZone: '' }, metadata: undefined };
  if (nodeId !== undefined && node !== undefined && node.id !== '') {
    out.remark(`node.id is ${nodeId} instead of ${node.id}`);
  }
  return { ...base, id: nodeId ?? base.id, metadata: metadataWith(base, nodeMetadata) };
}

function metadataWith({ metadata }: BootstrapNode, added: readonly [string, string][]): BootstrapNode['metadata'] {
  if (added.length === 0) return metadata;
  const read = readJson(new TextEncoder().encode(JSON.stringify(Object.fromEntries(added))));
  if (!read.ok || read.root.kind !== 'object') throw new Misuse('--node-metadata cannot be used');
  const before = metadata?.kind === 'object' ? [...metadata.fields] : [];
  return { ...read.root, fields: new Map([...before, ...read.root.fields]) };
}

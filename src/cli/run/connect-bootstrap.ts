import { readFileSync } from 'node:fs';
import { readJson } from '../../base/json/reader.js';
import type { Bootstrap, BootstrapNode } from '../../bootstrap/bootstrap.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import type { Switches } from '../../bootstrap/switches.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { findBootstrap } from './bootstrap-source.js';

export interface FoundBootstrap {
  /** Where it came from. */
  source: string;
  bootstrap: Bootstrap;
}

/** The bootstrap to connect with: a file, the environment's, or one made of `--server`; with what flags change in it. */
export async function connectBootstrap(
  args: Arguments,
  switches: Switches,
  env: CliEnvironment,
): Promise<FoundBootstrap> {
  const found = args.server === undefined ? await fromSource(args, switches, env) : fromServer(args, switches);
  const { node } = found.bootstrap;
  return { ...found, bootstrap: { ...found.bootstrap, node: changedNode(node, args, env) } };
}

async function fromSource(args: Arguments, switches: Switches, env: CliEnvironment): Promise<FoundBootstrap> {
  const useless = ['plaintext', 'cacert', 'cert', 'key'].find((flag) => args[flag] !== undefined);
  if (useless !== undefined) throw new Failure(EXIT.usage, `--${useless} goes with --server, which is not given`);
  const source = await findBootstrap(args.bootstrap as string | undefined, env);
  if (source.kind === 'unreadable') {
    throw new Failure(EXIT.badInput, `${source.explanation}; --server host:port does without one`);
  }
  const read = readBootstrap(source.bytes, switches);
  if (read.ok) return { source: source.name, bootstrap: read.bootstrap };
  const hint = `see: ${env.program} bootstrap validate ${(args.bootstrap as string | undefined) ?? ''}`.trimEnd();
  throw new Failure(EXIT.badInput, `${source.name}: gRPC rejects this bootstrap: ${read.message}\n${hint}`);
}

function fromServer(args: Arguments, switches: Switches): FoundBootstrap {
  if (args.bootstrap !== undefined) throw new Failure(EXIT.usage, '--server takes the place of --bootstrap: give one');
  if ((args.cert === undefined) !== (args.key === undefined)) {
    throw new Failure(EXIT.usage, '--cert and --key go together');
  }
  if (args.plaintext === true && (args.cacert !== undefined || args.cert !== undefined)) {
    throw new Failure(EXIT.usage, '--plaintext goes without certificates');
  }
  if (!/^[^/]*[^/:]:\d+$/.test(String(args.server)) && !/^(dns|ipv[46]|unix|xds):/.test(String(args.server))) {
    throw new Failure(EXIT.usage, `--server takes host:port, not "${args.server}"`);
  }
  for (const path of [args.cacert, args.cert, args.key] as (string | undefined)[])
    if (path !== undefined) mustBeReadable(path);
  const files = { ca_certificate_file: args.cacert, certificate_file: args.cert, private_key_file: args.key };
  const creds = args.plaintext === true ? { type: 'insecure' } : { type: 'tls', config: files };
  const text = JSON.stringify({ xds_servers: [{ server_uri: args.server, channel_creds: [creds] }], node: { id: '' } });
  const read = readBootstrap(new TextEncoder().encode(text), switches);
  if (!read.ok) throw new Failure(EXIT.usage, `--server ${args.server}: ${read.message}`);
  return { source: `--server ${args.server}`, bootstrap: read.bootstrap };
}

function mustBeReadable(path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    throw new Failure(EXIT.badInput, `${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Control planes serve by node, so that whoever changes it is told. */
function changedNode(node: BootstrapNode | undefined, args: Arguments, env: CliEnvironment): BootstrapNode | undefined {
  const id = args.nodeId as string | undefined;
  const added = args.nodeMetadata as string | undefined;
  if (id === undefined && added === undefined) return node;
  const base = node ?? { id: '', cluster: '', locality: { region: '', zone: '', subZone: '' }, metadata: undefined };
  if (id !== undefined && args.quiet !== true && node !== undefined && node.id !== '') {
    env.stderr.write(`node.id is ${id} instead of ${node.id}\n`);
  }
  return { ...base, id: id ?? base.id, metadata: added === undefined ? base.metadata : metadataWith(base, added) };
}

function metadataWith({ metadata }: BootstrapNode, added: string): BootstrapNode['metadata'] {
  const pairs = added.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new Failure(EXIT.usage, `--node-metadata takes k=v, several joined by commas, not "${pair}"`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const read = readJson(new TextEncoder().encode(JSON.stringify(Object.fromEntries(pairs))));
  if (!read.ok || read.root.kind !== 'object') throw new Failure(EXIT.usage, `--node-metadata ${added} cannot be used`);
  const before = metadata?.kind === 'object' ? [...metadata.fields] : [];
  return { ...read.root, fields: new Map([...before, ...read.root.fields]) };
}

import { UsageError } from '../base/failure.js';
import { readJson } from '../base/json/reader.js';
import type { Bootstrap, BootstrapNode } from './bootstrap.js';
import { readBootstrap } from './read-bootstrap.js';
import type { Switches } from './switches.js';

/** Flags that replace a bootstrap: `--server` and its TLS flags. */
export interface QuickServer {
  server: string;
  plaintext: boolean;
  cacert: string | undefined;
  cert: string | undefined;
  key: string | undefined;
}

/** Builds a bootstrap with one server. */
export function quickBootstrap({ server, plaintext, cacert, cert, key }: QuickServer, switches: Switches): Bootstrap {
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key require each other');
  if (plaintext && (cacert !== undefined || cert !== undefined))
    throw new UsageError('--plaintext cannot be combined with certificates');
  if (!/^[^/]*[^/:]:\d+$/.test(server) && !/^(dns|ipv[46]|unix|xds):/.test(server)) {
    throw new UsageError(`--server takes host:port, not "${server}"`);
  }
  const files = { ca_certificate_file: cacert, certificate_file: cert, private_key_file: key };
  const creds = plaintext ? { type: 'insecure' } : { type: 'tls', config: files };
  const text = JSON.stringify({ xds_servers: [{ server_uri: server, channel_creds: [creds] }], node: { id: '' } });
  const read = readBootstrap(new TextEncoder().encode(text), switches);
  if (!read.ok) throw new UsageError(`--server ${server}: ${read.message}`);
  return read.bootstrap;
}

/** Flags that change the node, by which control planes select resources. */
export interface NodeChanges {
  nodeId: string | undefined;
  nodeMetadata: readonly [string, string][];
}

export function withNode(bootstrap: Bootstrap, { nodeId, nodeMetadata }: NodeChanges): Bootstrap {
  if (nodeId === undefined && nodeMetadata.length === 0) return bootstrap;
  const { node = { id: '', cluster: '', locality: { region: '', zone: '', subZone: '' }, metadata: undefined } } =
    bootstrap;
  return { ...bootstrap, node: { ...node, id: nodeId ?? node.id, metadata: metadataWith(node, nodeMetadata) } };
}

function metadataWith({ metadata }: BootstrapNode, added: readonly [string, string][]): BootstrapNode['metadata'] {
  if (added.length === 0) return metadata;
  const read = readJson(new TextEncoder().encode(JSON.stringify(Object.fromEntries(added))));
  if (!read.ok || read.root.kind !== 'object') throw new UsageError('--node-metadata cannot be used');
  const before = metadata?.kind === 'object' ? [...metadata.fields] : [];
  return { ...read.root, fields: new Map([...before, ...read.root.fields]) };
}

import { UsageError } from '../base/failure.js';
import { readJson } from '../base/json/reader.js';
import type { Bootstrap, BootstrapNode } from './bootstrap.js';
import { authorityProblem } from './dial.js';
import { kubeUri } from './kube-target.js';
import { readLocality } from './node-metadata.js';
import { readBootstrap } from './read-bootstrap.js';
import { unusableSocket } from './server-address.js';
import type { Switches } from './switches.js';
import type { XdsHeader } from './xds-headers.js';

/** Flags that replace a bootstrap: those that name a server, and those about the connection to it. */
export interface QuickServer {
  server: string | undefined;
  kube?: string | undefined;
  plaintext: boolean;
  insecure?: boolean | undefined;
  cacert: string | undefined;
  cert: string | undefined;
  key: string | undefined;
  authority?: string | undefined;
  tokenFile?: string | undefined;
  xdsHeader?: readonly XdsHeader[] | undefined;
}

/** Builds a bootstrap with one server. */
export function quickBootstrap(flags: QuickServer, switches: Switches): Bootstrap {
  checkServerFlags(flags);
  const { server, kube = '', plaintext, cacert, cert, key } = flags;
  const uri = server ?? kubeUri(kube);
  const files = { ca_certificate_file: cacert, certificate_file: cert, private_key_file: key };
  const creds = plaintext ? { type: 'insecure' } : { type: 'tls', config: files };
  const text = JSON.stringify({ xds_servers: [{ server_uri: uri, channel_creds: [creds] }], node: { id: '' } });
  const read = readBootstrap(new TextEncoder().encode(text), switches);
  if (!read.ok) throw new UsageError(`--server ${uri}: ${read.message}`);
  return { ...read.bootstrap, servers: read.bootstrap.servers.map((one) => ({ ...one, isByFlag: true })) };
}

function checkServerFlags(flags: QuickServer): void {
  const { server, plaintext, cacert, cert, key, authority } = flags;
  checkTlsFlags(flags);
  if (plaintext && (cacert !== undefined || cert !== undefined || key !== undefined))
    throw new UsageError('--plaintext cannot be combined with certificates');
  const wrong = authority === undefined ? undefined : authorityProblem(authority);
  if (wrong !== undefined) throw new UsageError(`--authority ${wrong}, not "${authority}"`);
  if (server === undefined) return;
  const why = unusableSocket(server);
  if (why !== undefined) throw new UsageError(`--server ${server}: ${why}`);
  if (!/^[^/]*[^/:]:\d+$/.test(server) && !/^(dns|ipv[46]|unix|xds):/.test(server))
    throw new UsageError(`--server takes host:port or unix:/path, not "${server}"`);
}

/** Checks the flags that `--server` and CSDS addresses have in common. */
export function checkTlsFlags(flags: Omit<QuickServer, 'server'>): void {
  const { plaintext, insecure, cert, key, tokenFile, xdsHeader = [] } = flags;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key require each other');
  if (plaintext && insecure) throw new UsageError('--plaintext excludes --insecure');
  if (plaintext && tokenFile !== undefined)
    throw new UsageError('--plaintext excludes --token-file: gRPC sends such a token only over TLS');
  if (tokenFile !== undefined && xdsHeader.some(([name]) => name === 'authorization'))
    throw new UsageError('--token-file excludes -H authorization: both set this header');
}

/** Flags that change the node, by which control planes select resources. */
export interface NodeChanges {
  nodeId: string | undefined;
  nodeCluster?: string | undefined;
  /** `region/zone/sub_zone` */
  nodeLocality?: string | undefined;
}

const NO_NODE: BootstrapNode = {
  id: '',
  cluster: '',
  locality: { region: '', zone: '', subZone: '' },
  metadata: undefined,
};

/** Changes the node. A key of `metadata` replaces that of the bootstrap with its whole value. */
export function withNode(
  bootstrap: Bootstrap,
  { nodeId, nodeCluster, nodeLocality }: NodeChanges,
  metadata: readonly (readonly [string, unknown])[],
): Bootstrap {
  const locality = nodeLocality === undefined ? undefined : readLocality(nodeLocality);
  if ((nodeId ?? nodeCluster ?? locality) === undefined && metadata.length === 0) return bootstrap;
  const { node = NO_NODE } = bootstrap;
  return {
    ...bootstrap,
    node: {
      id: nodeId ?? node.id,
      cluster: nodeCluster ?? node.cluster,
      locality: locality ?? node.locality,
      metadata: metadataWith(node, metadata),
    },
  };
}

function metadataWith({ metadata }: BootstrapNode, added: readonly (readonly [string, unknown])[]) {
  if (added.length === 0) return metadata;
  const text = JSON.stringify(Object.fromEntries(added), (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  const read = readJson(new TextEncoder().encode(text));
  if (!read.ok || read.root.kind !== 'object')
    throw new UsageError(`--node-metadata cannot be used${read.ok ? '' : `: ${read.message}`}`);
  const before = metadata?.kind === 'object' ? [...metadata.fields] : [];
  return { ...read.root, fields: new Map([...before, ...read.root.fields]) };
}

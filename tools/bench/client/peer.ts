import { createRequire } from 'node:module';
import { LISTENER } from './listener.ts';
import { reportUsage } from './usage.ts';

const require = createRequire(import.meta.url);
const PEER = '@grpc/grpc-js-xds';

interface DependencyManagers {
  XdsDependencyManager: new (
    client: unknown,
    listener: string,
    authority: string,
    watcher: { onUpdate(): void },
  ) => object;
}

reportUsage();
process.env.GRPC_XDS_BOOTSTRAP_CONFIG = JSON.stringify({
  xds_servers: [{ server_uri: process.argv[2], channel_creds: [{ type: 'insecure' }] }],
  node: { id: 'bench', locality: {} },
});
require(PEER).register();
// What its resolver makes for a channel. A channel itself would also balance loads and connect to every endpoint, which
// ours does not: an update of one of a thousand endpoints then costs it more than a second.
const { XdsDependencyManager } = require(`${PEER}/build/src/xds-dependency-manager`) as DependencyManagers;
const client = require(`${PEER}/build/src/xds-client`).getSingletonXdsClient();
new XdsDependencyManager(client, LISTENER, LISTENER, { onUpdate: () => {} });

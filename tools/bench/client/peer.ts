import { createRequire } from 'node:module';
import { Client, credentials } from '@grpc/grpc-js';
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
if (process.argv[3] === 'channel') {
  // As a program uses it. Unlike our client, it also balances load.
  new Client(`xds:///${LISTENER}`, credentials.createInsecure()).getChannel().getConnectivityState(true);
} else {
  // Only the part that its resolver creates for a channel.
  const { XdsDependencyManager } = require(`${PEER}/build/src/xds-dependency-manager`) as DependencyManagers;
  const client = require(`${PEER}/build/src/xds-client`).getSingletonXdsClient();
  new XdsDependencyManager(client, LISTENER, LISTENER, { onUpdate: () => {} });
}

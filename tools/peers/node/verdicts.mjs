// Clients of grpc-js-xds that each watch one resource; see test/interop/support/verdict-client.ts. A channel watches only
// the resources on its way to endpoints, so this uses the XdsClient directly, which the package does not export.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { register } = require('@grpc/grpc-js-xds');
const internal = (file) => require(`@grpc/grpc-js-xds/build/src/${file}.js`);
// Without this cache each client would load the same .proto files again, which takes fifty milliseconds.
const loader = createRequire(require.resolve('@grpc/grpc-js-xds'))('@grpc/proto-loader');
const { loadSync } = loader;
const loaded = new Map();
loader.loadSync = (files, options) => {
  const key = JSON.stringify(files);
  if (!loaded.has(key)) loaded.set(key, loadSync(files, options));
  return loaded.get(key);
};
const { validateBootstrapConfig } = internal('xds-bootstrap');
const { XdsClient } = internal('xds-client');
const TYPES = [
  internal('xds-resource-type/listener-resource-type').ListenerResourceType,
  internal('xds-resource-type/route-config-resource-type').RouteConfigurationResourceType,
  internal('xds-resource-type/cluster-resource-type').ClusterResourceType,
  internal('xds-resource-type/endpoint-resource-type').EndpointResourceType,
].map((type) => type.get());

// Ignores all updates: the test reads the ACK or NACK on the stream instead.
const ignoringWatcher = { onGenericResourceChanged() {}, onError() {}, onResourceDoesNotExist() {} };

function start({ bootstrap, typeUrl, name }) {
  const type = TYPES.find((one) => `type.googleapis.com/${one.getTypeUrl()}` === typeUrl);
  const client = new XdsClient(validateBootstrapConfig(bootstrap));
  client.watchResource(type, name, ignoringWatcher);
  return () => client.cancelResourceWatch(type, name, ignoringWatcher);
}

register();
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
print({ version: `grpc-js-xds ${require('@grpc/grpc-js-xds/package.json').version}` });
let stops = [];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { op, watches } = JSON.parse(line);
  if (op === 'watch') stops = watches.map(start);
  else for (const stop of stops) stop();
  print({});
});

// Clients of grpc-js-xds that each watch one resource; see ../../support/verdict-client.ts. Channels only watch what
// leads to endpoints, so this is the XdsClient below them, which the package does not export.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { register } = require('@grpc/grpc-js-xds');
const inside = (file) => require(`@grpc/grpc-js-xds/build/src/${file}.js`);
// Each client would read the same .proto files again, for fifty milliseconds.
const loader = createRequire(require.resolve('@grpc/grpc-js-xds'))('@grpc/proto-loader');
const { loadSync } = loader;
const loaded = new Map();
loader.loadSync = (files, options) => {
  const key = JSON.stringify(files);
  if (!loaded.has(key)) loaded.set(key, loadSync(files, options));
  return loaded.get(key);
};
const { validateBootstrapConfig } = inside('xds-bootstrap');
const { XdsClient } = inside('xds-client');
const TYPES = [
  inside('xds-resource-type/listener-resource-type').ListenerResourceType,
  inside('xds-resource-type/route-config-resource-type').RouteConfigurationResourceType,
  inside('xds-resource-type/cluster-resource-type').ClusterResourceType,
  inside('xds-resource-type/endpoint-resource-type').EndpointResourceType,
].map((type) => type.get());

// What it makes of a resource is read from its answer on the stream, not here.
const deaf = { onGenericResourceChanged() {}, onError() {}, onResourceDoesNotExist() {} };

function start({ bootstrap, typeUrl, name }) {
  const type = TYPES.find((one) => `type.googleapis.com/${one.getTypeUrl()}` === typeUrl);
  const client = new XdsClient(validateBootstrapConfig(bootstrap));
  client.watchResource(type, name, deaf);
  return () => client.cancelResourceWatch(type, name, deaf);
}

register();
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
say({ version: `grpc-js-xds ${require('@grpc/grpc-js-xds/package.json').version}` });
let stops = [];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { op, watches } = JSON.parse(line);
  if (op === 'watch') stops = watches.map(start);
  else for (const stop of stops) stop();
  say({});
});

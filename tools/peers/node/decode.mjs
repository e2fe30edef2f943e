// Decodes and validates single resources with grpc-js-xds, without a control plane; see test/peers/grpc-node/installed.ts.
// Input: JSON lines {typeUrl, bytes, providers}. Output: JSON lines {name, error}; no name if it throws.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { register } = require('@grpc/grpc-js-xds');
const internal = (file) => require(`@grpc/grpc-js-xds/build/src/${file}.js`);
const TYPES = [
  internal('xds-resource-type/listener-resource-type').ListenerResourceType,
  internal('xds-resource-type/route-config-resource-type').RouteConfigurationResourceType,
  internal('xds-resource-type/cluster-resource-type').ClusterResourceType,
  internal('xds-resource-type/endpoint-resource-type').EndpointResourceType,
].map((type) => type.get());
const { parseXdsResourceName } = internal('resources');

function validate({ typeUrl, bytes, providers }) {
  const type = TYPES.find((one) => one.getFullTypeUrl() === typeUrl);
  const certificateProviders = Object.fromEntries(providers.map((name) => [name, {}]));
  try {
    const resource = { type_url: typeUrl, value: Buffer.from(bytes, 'base64') };
    const { name, error } = type.decode({ server: {}, bootstrap: { certificateProviders } }, resource);
    parseXdsResourceName(name, type.getTypeUrl());
    return { name, error };
  } catch (error) {
    return { error: error.message };
  }
}

register();
createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(validate(JSON.parse(line)))}\n`);
});

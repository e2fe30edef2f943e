// grpc-js-xds as an oracle: channels, calls and CSDS dumps, as lines of JSON; see tools/oracle/c-core.ts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import * as grpc from '@grpc/grpc-js';
import * as xds from '@grpc/grpc-js-xds';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(require.resolve('@grpc/grpc-js-xds/package.json'), 'utf8'));

xds.register();

const CODES = new Map(Object.entries(grpc.status).map(([name, code]) => [code, name]));
const bytes = (value) => value;
const clients = new Map();
const background = new Map();
const streams = new Map();

function connectTo(target, options) {
  return new grpc.Client(target, grpc.credentials.createInsecure(), Object.fromEntries(options));
}

// A call may be the first to need its channel.
function existing(channel, target) {
  if (!clients.has(channel)) clients.set(channel, connectTo(target ?? channel, []));
  return clients.get(channel);
}

function ended({ code, details }, began) {
  const seconds = (performance.now() - began) / 1000;
  return code === grpc.status.OK ? { code: 'OK', seconds } : { code: CODES.get(code), message: details, seconds };
}

async function call({ channel, target, method, metadata = [], timeout = 3, waitForReady = false }) {
  const began = performance.now();
  const headers = new grpc.Metadata({ waitForReady });
  for (const [key, value] of metadata) headers.add(key, key.endsWith('-bin') ? Buffer.from(value) : value);
  const options = { deadline: Date.now() + timeout * 1000 };
  const client = existing(channel, target);
  return new Promise((resolve) => {
    client.makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), headers, options, (error, answer) =>
      resolve(
        error === null ? { ...ended({ code: grpc.status.OK }, began), answer: answer.toString() } : ended(error, began),
      ),
    );
  });
}

const OPERATIONS = {
  // The bootstrap is read when the first channel is created.
  setenv: ({ name, value }) => {
    process.env[name] = value;
    return {};
  },
  connect: ({ target, channel = target, options = [] }) => {
    const client = connectTo(target, options);
    clients.set(channel, client);
    // Requesting a connection starts the resolver, which starts the watches.
    client.getChannel().getConnectivityState(true);
    return {};
  },
  close: ({ channel }) => {
    clients.get(channel).close();
    clients.delete(channel);
    return {};
  },
  call,
  start: ({ label, ...options }) => {
    background.set(label, call(options));
    return {};
  },
  join: ({ label }) => background.get(label),
  stream: async ({ label, channel, target, method }) => {
    const open = existing(channel, target).makeBidiStreamRequest(method, bytes, bytes, {
      deadline: Date.now() + 60_000,
    });
    const status = new Promise((resolve) => open.on('status', resolve));
    // Its status is reported by endStream.
    open.on('error', () => {});
    const answered = new Promise((resolve) => open.on('data', resolve));
    open.write(Buffer.alloc(0));
    streams.set(label, { open, status });
    await Promise.race([answered, status]);
    return {};
  },
  endStream: async ({ label }) => {
    const { open, status } = streams.get(label);
    const began = performance.now();
    open.end();
    return ended(await status, began);
  },
  serve: ({ address }) => {
    const server = new xds.XdsServer();
    // It listens when the control plane has sent its configuration.
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), () => {});
    return {};
  },
  csds: () =>
    new Promise((resolve, reject) => {
      const method = '/envoy.service.status.v3.ClientStatusDiscoveryService/FetchClientStatus';
      csdsClient.makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), (error, response) =>
        error === null ? resolve({ response: response.toString('base64') }) : reject(error),
      );
    }),
};

let csdsClient;
const admin = new grpc.Server();
grpc.addAdminServicesToServer(admin);
admin.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  csdsClient = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
  print({ version: `@grpc/grpc-js-xds ${version}` });
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { op, ...options } = JSON.parse(line);
    print(await OPERATIONS[op](options));
  });
});
process.stdin.on('end', () => process.exit(0));

/** An application on grpc-js-xds that executes the commands on its standard input; see test/interop/support/app.ts. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import * as grpc from '@grpc/grpc-js';
import * as xds from '@grpc/grpc-js-xds';

const require = createRequire(import.meta.url);
const versionOf = (name) => JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version;

xds.register();

const CODES = new Map(Object.entries(grpc.status).map(([name, code]) => [code, name]));
const bytes = (value) => value;
const clients = new Map();

function clientOf(target) {
  const known = clients.get(target) ?? new grpc.Client(target, grpc.credentials.createInsecure());
  clients.set(target, known);
  return known;
}

function call({ target, method, metadata = [], timeout = 3, waitForReady = false }) {
  return new Promise((resolve) => {
    const headers = new grpc.Metadata({ waitForReady });
    for (const [key, value] of metadata) headers.add(key, value);
    const options = { deadline: Date.now() + timeout * 1000 };
    clientOf(target).makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), headers, options, (error, answer) =>
      resolve(
        error === null
          ? { code: 'OK', message: '', answer: answer.toString() }
          : { code: CODES.get(error.code), message: error.details },
      ),
    );
  });
}

const OPERATIONS = {
  connect: async ({ target }) => {
    // Requesting a connection starts the resolver, which starts the watches.
    clientOf(target).getChannel().getConnectivityState(true);
    return {};
  },
  close: async ({ target }) => {
    clientOf(target).close();
    clients.delete(target);
    return {};
  },
  call,
  calls: async ({ calls, atOnce }) => {
    const outcomes = [];
    const rest = calls.entries();
    const caller = async () => {
      for (const [index, one] of rest) outcomes[index] = await call(one);
    };
    await Promise.all(Array.from({ length: atOnce }, caller));
    return { outcomes };
  },
};

const admin = new grpc.Server();
grpc.addAdminServicesToServer(admin);
admin.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  const version = `grpc-js-xds ${versionOf('@grpc/grpc-js-xds')}`;
  console.log(JSON.stringify({ admin: port, version }));
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const command = JSON.parse(line);
    console.log(JSON.stringify(await OPERATIONS[command.op](command)));
  });
});
process.stdin.on('end', () => process.exit(0));

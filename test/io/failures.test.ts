import { rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelCreds } from '../../src/bootstrap/bootstrap.js';
import { GrpcTransport } from '../../src/io/grpc-transport.js';
import { filesOf, type Issued, TestAuthority } from '../support/certificates.js';
import { crashes } from '../support/crashes.js';
import { LiveClient, type LiveOptions } from '../support/live-client.js';
import {
  CLOSED,
  clusterBytes,
  LiveServer,
  listening,
  type Respond,
  responseBytes,
  tcpPeer,
} from '../support/live-server.js';
import { until } from '../support/until.js';

// Longer than the timeout of `until`, whose message names what was missing.

const crashed = crashes();
const open: { close(): void }[] = [];
afterEach(() => {
  for (const thing of open.splice(0).reverse()) thing.close();
  expect(crashed()).toEqual([]);
});

function opened<T extends { close(): void }>(thing: T): T {
  open.push(thing);
  return thing;
}

/** A client that watches the cluster `c`. */
function watching(uri: string, options: LiveOptions = {}): LiveClient {
  const client = opened(new LiveClient(uri, options));
  client.watch('c');
  return client;
}

const aWhile = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));

/** Sends `c` to clients that do not have it. */
const giveC: Respond = ({ versionInfo }, call) => {
  if (versionInfo === '') call.write(responseBytes('1', [clusterBytes('c')]));
};

const inFailure = (uri: string): string => `xDS channel for server ${uri}: channel in TRANSIENT_FAILURE: `;

/** Expects that, without a connection, the watcher gets the reason, no resource timer runs, and the cache is kept. */
async function expectUnreachable(client: LiveClient, reason: RegExp): Promise<void> {
  const reported = await client.hears(/TRANSIENT_FAILURE/);
  const head = `c OnResourceChanged ${inFailure(client.uri)}`;
  expect(reported.startsWith(head), reported).toBe(true);
  expect(reported.slice(head.length)).toMatch(reason);
  expect(client.entries).toEqual(['c REQUESTED']);
  expect(client.of('timer')).toEqual([]);
  const [error] = client.of('error');
  expect(error).toMatchObject({ cause: 'channel', nature: 'transient', cache: 'REQUESTED', effect: 'none-cached' });
}

async function expectRecovery(client: LiveClient): Promise<void> {
  await client.hears(/OnResourceChanged CDS/);
  expect(client.entries).toEqual(['c ACKED 1']);
  // The resource timer started after connecting, not before.
  const steps = client.events.map((e) => (e.kind === 'channel' ? e.state : e.kind === 'timer' ? e.change : ''));
  const first = steps.indexOf('started');
  if (first >= 0) expect(steps.slice(0, first)).toContain('ready');
}

describe('a server that cannot be reached', () => {
  it('refuses connections: the watcher gets the reason, no timer runs, and the client connects when the server starts', async () => {
    const server = opened(await LiveServer.start(giveC));
    server.die();
    const client = watching(server.uri);
    await expectUnreachable(client, /ECONNREFUSED/);
    await server.comeBack();
    await expectRecovery(client);
    expect(client.of('stream').map(({ change }) => change)).toEqual(['opened']);
    await until(() => server.requests.length === 2, 'the ACK');
    expect(server.requests.map(({ versionInfo }) => versionInfo)).toEqual(['', '1']);
  });

  it('is reported to later watchers too', async () => {
    const client = watching(CLOSED);
    await client.hears(/^c .*ECONNREFUSED/);
    client.watch('d');
    expect(await client.hears(/^d /)).toContain(inFailure(client.uri));
    expect(client.entries).toEqual(['c REQUESTED', 'd REQUESTED']);
  });

  it('resets every connection', async () => {
    const peer = await tcpPeer((socket) => socket.resetAndDestroy());
    const client = watching(peer.uri);
    await expectUnreachable(client, /ECONNRESET/);
    peer.close();
    opened(await LiveServer.start(giveC, undefined, portOf(peer.uri)));
    await expectRecovery(client);
  });

  it('closes every connection', async () => {
    const peer = opened(await tcpPeer((socket) => socket.end()));
    await expectUnreachable(watching(peer.uri), /Failed to connect/);
  });

  it('speaks HTTP/1.1', async () => {
    const peer = opened(await listening(createHttpServer((_request, response) => response.end('hello'))));
    await expectUnreachable(watching(peer.uri), /Protocol error/);
  });
});

describe('a peer that accepts the connection and stays silent', () => {
  it('does not start a resource timer', async () => {
    const peer = opened(await tcpPeer((socket) => socket.resume()));
    const client = watching(peer.uri, { speed: 100 });
    await aWhile(500);
    expect(client.of('channel').map(({ state }) => state)).toEqual(['connecting']);
    expect(client.of('timer')).toEqual([]);
    expect(client.told).toEqual([]);
    expect(client.entries).toEqual(['c REQUESTED']);
  });

  it('fails after the connect timeout, is retried, and is used once it responds', async () => {
    const server = opened(await LiveServer.start(giveC));
    const sockets: Socket[] = [];
    const peer = opened(
      await tcpPeer((socket) => {
        if (sockets.push(socket) === 1) socket.resume();
        else socket.pipe(connect(server.port, '127.0.0.1').on('error', () => {})).pipe(socket);
      }),
    );
    const client = watching(peer.uri, { transport: new GrpcTransport({ connectTimeoutMs: 150 }) });
    await expectUnreachable(client, /connection attempt timed out before receiving SETTINGS frame/);
    await until(() => sockets[0]?.destroyed === true, 'the end of the attempt');
    await expectRecovery(client);
    expect(sockets).toHaveLength(2);
  });

  it.each([
    ['does not start TLS', () => tcpPeer((socket) => socket.resume())],
    ['sends nothing after TLS', () => listening(createTlsServer(mine, (socket) => socket.resume()))],
  ])('fails if it %s', async (_what, peer) => {
    const { uri } = opened(await peer());
    const transport = new GrpcTransport({ connectTimeoutMs: 150 });
    const client = watching(uri, { creds: tls(authority.pem), transport });
    await expectUnreachable(client, /timed out before receiving SETTINGS frame/);
  });

  it('is disconnected when the client closes', async () => {
    const sockets: Socket[] = [];
    const peer = opened(await tcpPeer((socket) => sockets.push(socket.resume())));
    const client = watching(peer.uri);
    await until(() => sockets.length === 1, 'the connection');
    client.close();
    await until(() => sockets[0]?.destroyed === true, 'the end of the connection');
  });

  it('does not close a connection that is ready', async () => {
    const server = opened(await LiveServer.start(giveC));
    const client = watching(server.uri, { transport: new GrpcTransport({ connectTimeoutMs: 100 }) });
    await expectRecovery(client);
    await aWhile(300);
    expect(client.of('channel').map(({ state }) => state)).toEqual(['connecting', 'ready']);
  });

  // Linux drops connections beyond the accept queue of a server, as a firewall does.
  it.runIf(process.platform === 'linux')('fails even without a TCP response', async () => {
    const { port, close } = await deafServer();
    opened({ close });
    const client = watching(`127.0.0.1:${port}`, { transport: new GrpcTransport({ connectTimeoutMs: 200 }) });
    await expectUnreachable(client, /^connection attempt timed out before the server responded$/);
  });
});

describe('a connection error of HTTP/2', () => {
  // Node sends GOAWAY, stops reading, and emits no event, even when the connection ends.
  it('that Node does not report ends the stream when the keepalive expires', async () => {
    const server = opened(await LiveServer.start(giveC));
    const longPing = Buffer.from([0, 0, 9, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let first: Socket | undefined;
    const peer = opened(
      await tcpPeer((socket) => {
        first ??= socket;
        socket.pipe(connect(server.port, '127.0.0.1').on('error', () => {})).pipe(socket);
      }),
    );
    const client = watching(peer.uri, { transport: new GrpcTransport({ keepalive: { timeMs: 500, timeoutMs: 500 } }) });
    await expectRecovery(client);
    first?.end(longPing);
    await until(() => client.of('stream').length >= 3, 'another stream');
    expect(client.of('stream').map(({ change }) => change)).toEqual(['opened', 'ended', 'opened']);
  });
});

describe('a server whose certificate', () => {
  it.each([
    ['is from an unknown CA', () => strangers, /self-signed certificate|unable to verify/],
    ['is for another name', () => misnamed, /does not match certificate's altnames/],
  ])('%s is not used', async (_what, identity, reason) => {
    const { key, certificate } = identity();
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
    const server = opened(await LiveServer.start(giveC, ServerCredentials.createSsl(null, [pair])));
    await expectUnreachable(watching(server.uri, { creds: tls(authority.pem) }), reason);
    expect(server.requests).toEqual([]);
  });

  it('is valid is used', async () => {
    const pair = { private_key: Buffer.from(mine.key), cert_chain: Buffer.from(mine.cert) };
    const server = opened(await LiveServer.start(giveC, ServerCredentials.createSsl(null, [pair])));
    await expectRecovery(watching(server.uri, { creds: tls(authority.pem) }));
  });

  it('is missing, because it does not use TLS, is reported', async () => {
    const server = opened(await LiveServer.start(giveC));
    await expectUnreachable(watching(server.uri, { creds: tls(authority.pem) }), /Last error: .+/);
  });
});

describe('a lost server', () => {
  it('keeps its cached resources, and is reconnected', async () => {
    const server = opened(await LiveServer.start(giveC));
    const client = watching(server.uri);
    await expectRecovery(client);
    await until(() => server.requests.length === 2, 'the ACK');
    server.die();
    const error = await client.hears(/OnAmbientError/);
    expect(error).toContain(`c OnAmbientError ${inFailure(server.uri)}`);
    expect(error).toContain('ECONNREFUSED');
    expect(client.entries).toEqual(['c ACKED 1']);
    // The end of a stream that had a response is not an error. Only the failed reconnection is.
    expect(client.of('error').map(({ cause, effect }) => `${cause} ${effect}`)).toEqual(['channel kept']);
    const timers = client.timersStarted;
    server.respond = ({ responseNonce }, call) => {
      if (responseNonce === '') call.write(responseBytes('2', [clusterBytes('c')]));
    };
    await server.comeBack();
    await client.hears(/OnAmbientError over/);
    expect(client.entries).toEqual(['c ACKED 2']);
    expect(client.timersStarted).toBe(timers);
    await until(() => server.requests.length === 4, 'the ACK');
    expect(server.requests.map(({ versionInfo, responseNonce }) => `${versionInfo} ${responseNonce}`)).toEqual([
      ' ',
      '1 n1',
      '1 ',
      '2 n2',
    ]);
  });

  it('fails the stream if it had not responded, and each retry waits longer', async () => {
    const server = opened(
      await LiveServer.start((_request, call) => call.emit('error', { code: 14, details: 'later' })),
    );
    const client = watching(server.uri, { speed: 50 });
    await until(() => client.of('stream').filter(({ change }) => change === 'ended').length >= 4, 'four attempts');
    const ends = client.of('stream').filter(({ change }) => change === 'ended');
    const waits = ends.map(({ retryIn = 0 }, i) => retryIn / 1.6 ** i);
    for (const wait of waits) expect(Math.abs(wait - 1000)).toBeLessThanOrEqual(200);
    expect(client.told[0]).toBe(
      `c OnResourceChanged xDS channel for server ${server.uri}: xDS call failed with no responses received; status: UNAVAILABLE: later`,
    );
    expect(client.entries).toEqual(['c REQUESTED']);
    server.respond = giveC;
    await expectRecovery(client);
  });
});

describe('the resource timer', () => {
  it('starts when the request has been sent, and expires without the resource', async () => {
    const server = opened(await LiveServer.start(() => {}));
    const client = watching(server.uri, { speed: 100 });
    await client.hears(/does not exist/);
    expect(client.of('timer').map(({ change }) => change)).toEqual(['started', 'expired']);
    expect(client.entries).toEqual(['c DOES_NOT_EXIST']);
  });

  it.each([
    ['stream', (stream: ServerHttp2Stream) => stream.close(2), /status: INTERNAL/],
    ['connection', (_: unknown, socket: Socket) => socket.resetAndDestroy(), /status: UNAVAILABLE/],
  ])('does not start while flow control blocks the request, nor when the %s ends', async (_what, kill, reason) => {
    const server = createHttp2Server({ settings: { initialWindowSize: 0 } });
    const streams: ServerHttp2Stream[] = [];
    const sockets: Socket[] = [];
    server.on('connection', (socket: Socket) => sockets.push(socket));
    server.on('stream', (stream) => streams.push(stream.on('error', () => {})));
    const client = watching(opened(await listening(server, sockets)).uri, { speed: 100 });
    await until(() => streams.length === 1, 'a stream');
    await aWhile(300);
    expect(client.of('channel').map(({ state }) => state)).toEqual(['connecting', 'ready']);
    expect(client.of('timer')).toEqual([]);
    kill(streams[0] as ServerHttp2Stream, sockets[0] as Socket);
    expect(await client.hears(/xDS call failed with no responses received/)).toMatch(reason);
    expect(client.of('timer')).toEqual([]);
  });
});

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

let authority: TestAuthority;
let strangers: Issued;
let misnamed: Issued;
/** A server identity that clients accept. */
const mine = { key: '', cert: '', ALPNProtocols: ['h2'] };
beforeAll(async () => {
  authority = await TestAuthority.create('the authority');
  const { key, certificate: cert } = await authority.issue();
  Object.assign(mine, { key, cert });
  strangers = await (await TestAuthority.create('a stranger')).issue();
  misnamed = await authority.issue({ names: ['xds.example'] });
});

function tls(ca: string): ChannelCreds {
  const files = filesOf({ 'ca.pem': ca });
  folders.push(files.folder);
  return {
    type: 'tls',
    files: {
      caCertificate: files['ca.pem'],
      certificate: undefined,
      privateKey: undefined,
      spiffeBundleMap: undefined,
      refreshIntervalMs: 60_000,
    },
  };
}

const portOf = (uri: string): number => Number(uri.split(':')[1]);

/** A server in a blocked thread, with a full accept queue. */
async function deafServer(): Promise<{ port: number; close(): void }> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const { createServer } = require('node:net');
     const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000);
     });`,
    { eval: true },
  );
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await aWhile(50);
  return {
    port,
    close: () => {
      for (const filler of fillers) filler.destroy();
      void worker.terminate();
    },
  };
}

import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Status, statusName } from '../../src/base/status.js';
import { ADS_METHOD } from '../../src/core/sotw.js';
import type { Connection } from '../../src/engine/ports.js';
import { AdsServer } from '../../src/io/ads-server.js';
import { GrpcTransport } from '../../src/io/grpc-transport.js';
import { until } from '../support/until.js';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

const aWhile = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));

/** A server that records requests. */
async function serve(): Promise<{ server: AdsServer; got: string[] }> {
  const got: string[] = [];
  let streams = 0;
  const server = new AdsServer('127.0.0.1', {
    newStream: () => ++streams,
    onOpen: (stream) => got.push(`open ${stream}`),
    onRequest: (_stream, bytes) => got.push(`request ${bytes.length}`),
    onEnd: (stream) => got.push(`end ${stream}`),
  });
  const release = await server.reserve(0);
  await release();
  await server.enter('listening');
  open.push(server);
  return { server, got };
}

function connect(uri: string): {
  connection: Connection;
  states: string[];
  log: string[];
  stream: ReturnType<Connection['open']>;
} {
  const states: string[] = [];
  const log: string[] = [];
  const connection = new GrpcTransport().connect({ uri, creds: { type: 'insecure' }, callCreds: [] }, (state, reason) =>
    states.push(`${state} ${reason}`.trim()),
  );
  const stream = connection.open(ADS_METHOD, {
    onSent: () => log.push('sent'),
    onMessage: (message) => log.push(`message ${message.length}`),
    onEnd: (status: Status) => log.push(`end ${statusName(status.code)} ${status.message}`),
  });
  open.push(connection);
  return { connection, states, log, stream };
}

describe('GrpcTransport', () => {
  it('transfers bytes both ways, and reads only on request', async () => {
    const { server, got } = await serve();
    const { stream, log, states } = connect(server.address);
    stream.send(new Uint8Array(3));
    await until(() => got.includes('request 3') && log.includes('sent'), 'the peer responds');
    for (const size of [10, 20, 30]) server.send(1, new Uint8Array(size));
    await aWhile(100);
    expect(log).toEqual(['sent']);
    stream.read();
    await until(() => log.length === 2, 'the peer responds');
    await aWhile(50);
    expect(log).toEqual(['sent', 'message 10']);
    stream.read();
    await until(() => log.length === 3, 'the peer responds');
    expect(log[2]).toBe('message 20');
    expect(states).toEqual(['connecting', 'ready']);
  });

  it('accepts a message beyond the default limit of 4 MiB', async () => {
    const { server, got } = await serve();
    const { stream, log } = connect(server.address);
    stream.send(new Uint8Array(1));
    await until(() => got.includes('request 1'), 'the peer responds');
    stream.read();
    server.send(1, new Uint8Array(9_000_000));
    await until(() => log.includes('message 9000000'), 'the peer responds');
  });

  it('reports the status of a stream', async () => {
    const { server, got } = await serve();
    const { stream, log } = connect(server.address);
    stream.send(new Uint8Array(1));
    await until(() => got.includes('request 1'), 'the peer responds');
    stream.read();
    server.end(1, { code: 7, message: 'not for you' });
    await until(() => log.some((l) => l.startsWith('end')), 'the peer responds');
    expect(log.at(-1)).toBe('end PERMISSION_DENIED not for you');
  });

  it('reports the end of a stream only after all responses have been read', async () => {
    const { server, got } = await serve();
    const { stream, log } = connect(server.address);
    stream.send(new Uint8Array(1));
    await until(() => got.includes('request 1'), 'the peer responds');
    stream.read();
    server.send(1, new Uint8Array(10));
    await until(() => log.includes('message 10'), 'the first response');
    server.send(1, new Uint8Array(20));
    await aWhile(100);
    server.end(1, { code: 14, message: 'gone' });
    await aWhile(200);
    expect(log).toEqual(['sent', 'message 10']);
    stream.read();
    await until(() => log.length === 4, 'the rest');
    expect(log.slice(2)).toEqual(['message 20', 'end UNAVAILABLE gone']);
  });

  it.each(['ipv4:not-an-address', 'ipv4:1.2.3.4', 'ipv6:1.2.3.4:80', 'ipv4:127.0.0.1:80,x'])(
    'does not create a channel to %s',
    async (uri) => {
      const { states, log } = connect(uri);
      await until(() => log.length > 0, 'the stream ends');
      expect(states).toEqual([`lame ${uri} is not a valid address`]);
      expect(log).toEqual([`end UNKNOWN Failed to create channel to '${uri}':the target uri is not valid: ${uri}`]);
    },
  );

  it('reports nothing after a cancellation', async () => {
    const { server, got } = await serve();
    const { stream, log } = connect(server.address);
    stream.send(new Uint8Array(1));
    await until(() => got.includes('request 1') && log.includes('sent'), 'the peer responds');
    stream.cancel();
    await until(() => got.includes('end 1'), 'the peer responds');
    expect(log).toEqual(['sent']);
  });

  it('sends nothing and reports the reason while the server refuses connections, then connects', async () => {
    const { server, got } = await serve();
    await server.enter('refusing');
    const { stream, log, states } = connect(server.address);
    stream.send(new Uint8Array(2));
    await until(() => states.some((s) => s.startsWith('transient-failure')), 'the peer responds');
    expect(states.at(-1)).toContain('ECONNREFUSED');
    expect(log).toEqual([]);
    await server.enter('listening');
    await until(() => got.includes('request 2') && log.includes('sent'), 'the peer responds');
  });

  it('sends nothing while the peer accepts the connection and stays silent', async () => {
    const peer = createServer(() => {});
    await new Promise<void>((ready) => peer.listen(0, '127.0.0.1', ready));
    open.push(peer);
    const { stream, log, states } = connect(`127.0.0.1:${(peer.address() as { port: number }).port}`);
    stream.send(new Uint8Array(2));
    await aWhile(300);
    expect(log).toEqual([]);
    expect(states).toEqual(['connecting']);
  });

  it('ends the stream when the connection is lost', async () => {
    const { server, got } = await serve();
    const { stream, log } = connect(server.address);
    stream.send(new Uint8Array(1));
    stream.read();
    await until(() => got.includes('request 1'), 'the peer responds');
    await server.enter('resetting');
    await until(() => log.some((l) => l.startsWith('end UNAVAILABLE')), 'the peer responds');
  });
});

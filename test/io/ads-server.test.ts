import { connect } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { AdsServer } from '../../src/io/ads-server.js';
import { FrameReader, framed } from '../../tools/oracle/grpc-frames.js';
import { until } from '../support/until.js';

const RESPONSE_BYTES = 1_000_000;
const REQUESTS = 200;
const HEADERS = { ':method': 'POST', ':path': ADS_METHOD, 'content-type': 'application/grpc', te: 'trailers' };

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

describe('an ADS server', () => {
  it('does not read requests of a client that does not read responses, until it does', async () => {
    let requests = 0;
    const server = new AdsServer('127.0.0.1', {
      newStream: () => 1,
      onOpen: () => {},
      onRequest: (stream) => {
        requests++;
        server.send(stream, new Uint8Array(RESPONSE_BYTES));
      },
      onEnd: () => {},
    });
    const release = await server.reserve(0);
    await release();
    await server.enter('listening');
    const session = connect(`http://${server.address}`);
    session.on('error', () => {});
    open.push({ close: () => session.destroy() }, server);
    const stream = session.request(HEADERS);
    stream.on('error', () => {});
    stream.pause();
    for (let i = 0; i < REQUESTS; i++) stream.write(framed(new Uint8Array([1])));
    await until(() => requests >= 16, 'the first requests');
    for (let i = 0; i < 50; i++) await new Promise<void>((resolve) => session.ping(() => resolve()));
    expect(requests).toBeLessThanOrEqual(20);
    let responses = 0;
    const reader = new FrameReader(() => responses++);
    stream.on('data', (chunk: Buffer) => reader.take(chunk));
    stream.resume();
    await until(() => responses === REQUESTS, 'a response to every request');
  });
});

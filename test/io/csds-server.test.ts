import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import { FETCH_METHOD, STREAM_METHOD } from '../../src/csds/methods.js';
import { serveCsds } from '../../src/io/csds-server.js';
import { framed } from '../../tools/oracle/grpc-frames.js';
import { until } from '../support/until.js';

const RESPONSE_BYTES = 1_000_000;
const REQUESTS = 500;
const HEADERS = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server with large responses that counts them. */
async function serve(): Promise<{ url: string; responses: () => number }> {
  let responses = 0;
  const server = await serveCsds('127.0.0.1', 0, () => {
    responses++;
    return new Uint8Array(RESPONSE_BYTES);
  });
  open.push(server);
  return { url: `http://${server.address}`, responses: () => responses };
}

function client(url: string): ClientHttp2Session {
  const session = connect(url);
  session.on('error', () => {});
  open.push({ close: () => session.destroy() });
  return session;
}

function request(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const stream = session.request({ ...HEADERS, ':path': path });
  stream.on('error', () => {});
  return stream;
}

/** The server has handled everything that this client sent before. */
function roundTrip(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => session.ping(() => resolve()));
}

/** Fetches once, as a client that reads. */
async function fetchOnce(url: string): Promise<number> {
  const session = client(url);
  const stream = request(session, FETCH_METHOD);
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.end(framed(new Uint8Array()));
  await new Promise((resolve) => stream.on('close', resolve));
  session.destroy();
  return bytes;
}

describe('a CSDS server', () => {
  it('reads the next request of a stream when the response to the last one is written', async () => {
    const { url, responses } = await serve();
    const session = client(url);
    const stream = request(session, STREAM_METHOD);
    stream.pause();
    for (let i = 0; i < REQUESTS; i++) stream.write(framed(new Uint8Array()));
    await until(() => responses() > 0, 'the first response');
    for (let i = 0; i < 20; i++) {
      await roundTrip(session);
      await fetchOnce(url);
    }
    // 20 of the other clients, and the first of this one, which does not fit into its flow-control window.
    expect(responses()).toBe(21);
  });

  it('responds to every request of a stream that is read, in order, and ends the stream', async () => {
    let count = 0;
    const server = await serveCsds('127.0.0.1', 0, () => new Uint8Array([count++]));
    open.push(server);
    const stream = request(client(`http://${server.address}`), STREAM_METHOD);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    for (let i = 0; i < 50; i++) stream.write(framed(new Uint8Array()));
    stream.end();
    await new Promise((resolve) => stream.on('end', resolve));
    const all = Buffer.concat(Array.from({ length: 50 }, (_, i) => framed(new Uint8Array([i]))));
    expect(Buffer.concat(chunks)).toEqual(all);
  });

  it('limits the streams of a client: a client that opens more without reading waits', async () => {
    const { url, responses } = await serve();
    const session = client(url);
    for (let i = 0; i < 100; i++) request(session, FETCH_METHOD).pause().end(framed(new Uint8Array()));
    await until(() => responses() > 0, 'the first response');
    for (let i = 0; i < 5; i++) {
      await roundTrip(session);
      await fetchOnce(url);
    }
    expect(responses()).toBeLessThanOrEqual(4 + 5);
  });

  it('closes the oldest of 16 clients when another one connects', async () => {
    const { url } = await serve();
    const sessions = Array.from({ length: 16 }, () => client(url));
    await Promise.all(sessions.map(roundTrip));
    const oldest = new Promise<void>((resolve) => sessions[0]?.on('close', () => resolve()));
    expect(await fetchOnce(url)).toBeGreaterThan(RESPONSE_BYTES);
    await oldest;
    expect(sessions.filter((session) => session.destroyed)).toHaveLength(1);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { statusName } from '../../src/base/status.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { crashes } from '../support/crashes.js';
import { LiveClient, type LiveOptions } from '../support/live-client.js';
import {
  type Call,
  clusterBytes,
  cuttingProxy,
  framed,
  GRPC_HEADERS,
  http2Peer,
  LiveServer,
  type Respond,
  responseBytes,
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
const MIB = 1024 * 1024;

const GOOD = responseBytes('1', [clusterBytes('c')]);

/** Sends these messages on each stream after its first request. */
function first(...messages: readonly Buffer[]): Respond {
  return ({ node }, call) => {
    if (node !== undefined) for (const message of messages) call.write(message);
  };
}

const serve = async (respond: Respond): Promise<LiveServer> => opened(await LiveServer.start(respond));

/** `CODE message` of each ended stream. */
function ends(client: LiveClient): string[] {
  return client.of('stream').flatMap(({ status }) => (status ? [`${statusName(status.code)} ${status.message}`] : []));
}

describe('an invalid message', () => {
  it.each([
    ['garbage', Buffer.from('ff00ff12fe03', 'hex'), /^not a DiscoveryResponse: .+ at byte \d+$/],
    ['text', Buffer.from('<html>no</html>'), /^not a DiscoveryResponse: .+ at byte \d+$/],
    ['half a response', GOOD.subarray(0, GOOD.length / 2), /^not a DiscoveryResponse: .+ at byte \d+$/],
    ['nothing', Buffer.alloc(0), /^of a type that was never requested$/],
    ['another type', responseBytes('1', [], { typeUrl: RESOURCE_TYPES.LDS }), /^of a type that was never requested$/],
    ['no type', responseBytes('1', [], { typeUrl: 'no.such.Type' }), /^of a type that was never requested$/],
  ])('is reported and ignored, and the next one is read: %s', async (_what, message, reason) => {
    const server = await serve(first(message, GOOD));
    const client = watching(server.uri);
    await client.hears(/OnResourceChanged CDS/);
    const responses = client.of('response');
    expect(responses).toHaveLength(2);
    expect(responses[0]?.ignored).toMatch(reason);
    expect(responses[0]?.bytes).toBe(message.length);
    await until(() => server.requests.length === 2, 'the ACK');
    expect(server.requests[1]).toMatchObject({ versionInfo: '1', responseNonce: 'n1', errorDetail: undefined });
    expect(client.told).toEqual(['c OnResourceChanged CDS']);
  });

  it('with resources of another type is NACKed and keeps the cache', async () => {
    const bad = Buffer.from(responseBytes('2', [clusterBytes('c')]));
    // Change the last letter of the type name in the resource.
    bad.write('Clusteq', bad.indexOf('Cluster'));
    const server = await serve(first(GOOD, bad));
    const client = watching(server.uri);
    await until(() => server.requests.length === 3, 'the NACK');
    expect(server.requests[2]).toMatchObject({ versionInfo: '1', responseNonce: 'n2' });
    expect(server.requests[2]?.errorDetail?.message).toContain(
      'incorrect resource type "envoy.config.cluster.v3.Clusteq"',
    );
    expect(client.engine.snapshot()[0]?.entries[0]?.resource).toBeDefined();
  });

  it.each([
    [
      'a page',
      { ':status': 200, 'content-type': 'text/html' },
      '<html>hello</html>',
      /^RESOURCE_EXHAUSTED .*1752460652/,
    ],
    [
      'an error page',
      { ':status': 503, 'content-type': 'text/html' },
      '<html>busy</html>',
      /^UNAVAILABLE .*HTTP status code 503/,
    ],
    ['a missing page', { ':status': 404 }, '', /^UNIMPLEMENTED .*HTTP status code 404/],
    [
      'a message that cannot be decompressed',
      GRPC_HEADERS,
      framed(Buffer.from('xx'), 2, 1),
      /^INTERNAL a compressed message could not be decompressed$/,
    ],
  ])('of a web server ends the stream, and the watcher gets the reason: %s', async (_what, headers, body, expected) => {
    const peer = opened(
      await http2Peer((stream) => {
        stream.respond(headers);
        stream.end(body);
      }),
    );
    const client = watching(peer.uri);
    await until(() => ends(client).length > 1, 'the second attempt');
    for (const end of ends(client)) expect(end).toMatch(expected);
    expect(client.told[0]).toMatch(/: xDS call failed with no responses received; status: [A-Z_]+: ./);
    expect(client.entries).toEqual(['c REQUESTED']);
  });
});

describe('resources without a subscription', () => {
  it('are not cached, even with many names', async () => {
    const others = Array.from({ length: 10 }, (_, i) => clusterBytes(`other-0000-${i}`, 100_000));
    const template = responseBytes('0000', [clusterBytes('c'), ...others]);
    const rounds = 200;
    const server = await serve(({ versionInfo }, call) => {
      if (Number(versionInfo) < rounds) call.write(numbered(template, Number(versionInfo) + 1));
    });
    const client = watching(server.uri);
    await until(() => client.of('response').length >= 20, 'the first responses');
    const before = memoryInUse();
    await until(() => server.requests.length === rounds + 1, 'the last ACK');
    const grown = memoryInUse() - before;
    expect(client.entries).toEqual([`c ACKED 0${rounds}`]);
    expect(client.of('response').at(-1)?.names.at(-1)).toBe(`other-0${rounds}-9`);
    // About 180 MB have arrived since. Only the test's own list of names remains in memory.
    expect(grown).toBeLessThan(20 * MIB);
  });

  it('cause a NACK if they are invalid, and are not cached', async () => {
    const bad = Array.from({ length: 500 }, (_, i) =>
      Buffer.concat([clusterBytes(`bad-${i}`), Buffer.from([0x10, 77])]),
    );
    const server = await serve(first(responseBytes('1', [clusterBytes('c'), ...bad])));
    const client = watching(server.uri);
    await until(() => server.requests.length === 2, 'the NACK');
    expect(server.requests[1]?.errorDetail?.message).toContain('resource index 500: bad-499: INVALID_ARGUMENT');
    expect(client.entries).toEqual(['c ACKED 1']);
  });
});

describe('a server that sends without end', () => {
  it('is read one response at a time, between other work, and can be closed', async () => {
    const server = await serve(({ node }, call) => node !== undefined && pour(call));
    const client = watching(server.uri);
    await client.hears(/OnResourceChanged CDS/);
    // Timers run although the server never pauses; loop-turn.test.ts counts the messages between them.
    for (let i = 0; i < 20; i++) await aWhile(10);
    await until(() => client.of('response').length > 50, 'more than 50 responses');
    const responses = client.of('response');
    // No response is skipped or reordered.
    expect(responses.map(({ version }) => version)).toEqual(responses.map((_, i) => `${i + 1}`));
    client.watch('d');
    await until(() => server.requests.some(({ resourceNames }) => resourceNames.includes('d')), 'the new name');
    client.close();
    const events = client.events.length;
    await until(() => server.cancelled === 1, 'the end');
    expect(client.events).toHaveLength(events);
  });

  it('is not read while a watcher processes an update', async () => {
    const server = await serve(({ node }, call) => node !== undefined && pour(call));
    const client = opened(new LiveClient(server.uri, {}));
    let proceed = (): void => {};
    client.session.watch('test', RESOURCE_TYPES.CDS, 'c', {
      onResourceChanged: () => new Promise<void>((done) => (proceed = done)),
      onAmbientError: () => undefined,
    });
    await until(() => client.of('response').length === 1, 'the first response');
    await aWhile(100);
    expect(client.of('response')).toHaveLength(1);
    proceed();
    await until(() => client.of('response').length > 1, 'the next response');
  });
});

describe('a large response', () => {
  it.each([5, 120])(
    'of %i MiB is read',
    async (size) => {
      const others = Array.from({ length: size }, (_, i) => clusterBytes(`other-${i}`, MIB));
      const message = responseBytes('1', [...others, clusterBytes('c')]);
      const server = await serve(first(message));
      const client = watching(server.uri);
      await client.hears(/OnResourceChanged CDS/);
      expect(client.of('response')[0]?.bytes).toBe(message.length);
      expect(client.entries).toEqual(['c ACKED 1']);
    },
    60_000,
  );

  it('over the limit ends the stream with the limit in the status, and the client retries with backoff', async () => {
    const peer = opened(
      await http2Peer((stream) => {
        stream.respond(GRPC_HEADERS);
        stream.write(framed(GOOD.subarray(0, 10), 129 * MIB));
      }),
    );
    const client = watching(peer.uri, { speed: 50 });
    await until(() => ends(client).length > 2, 'the third attempt');
    const tooLarge = `Received message larger than max (${129 * MIB} vs ${128 * MIB})`;
    expect(new Set(ends(client))).toEqual(new Set([`RESOURCE_EXHAUSTED ${tooLarge}`]));
    expect(client.told[0]).toBe(
      `c OnResourceChanged xDS channel for server ${peer.uri}: xDS call failed with no responses received; status: RESOURCE_EXHAUSTED: ${tooLarge}`,
    );
    const [one = 0, two = 0, three = 0] = client.of('stream').flatMap(({ retryIn }) => retryIn ?? []);
    expect(one).toBeGreaterThanOrEqual(800);
    expect(two).toBeGreaterThan(one);
    expect(three).toBeGreaterThan(two);
    expect(client.entries).toEqual(['c REQUESTED']);
  });

  it('over the limit after a valid one keeps the cache, and is not reported to watchers', async () => {
    const peer = opened(
      await http2Peer((stream) => {
        stream.respond(GRPC_HEADERS);
        stream.write(framed(GOOD));
        stream.write(framed(GOOD.subarray(0, 10), 129 * MIB));
      }),
    );
    const client = watching(peer.uri);
    await until(() => ends(client).length > 1, 'the second attempt');
    expect(ends(client)[0]).toMatch(/^RESOURCE_EXHAUSTED Received message larger than max/);
    expect(client.entries).toEqual(['c ACKED 1']);
    expect(client.told).toEqual(['c OnResourceChanged CDS']);
    const waits = client.of('stream').flatMap(({ retryIn }) => retryIn ?? []);
    for (const wait of waits) expect(Math.abs(wait - 1000)).toBeLessThanOrEqual(200);
  });
});

describe('a connection that breaks at any byte', () => {
  /** Sends two responses, the second after the ACK of the first. */
  const inTwoSteps: Respond = ({ versionInfo }, call) => {
    if (versionInfo !== '2') call.write(responseBytes(`${Number(versionInfo) + 1}`, [clusterBytes('c', 300)]));
  };

  it.each(['end', 'reset'] as const)('by %s is reported, keeps the cache, and is restored', async (how) => {
    const server = await serve(inTwoSteps);
    const whole = await exchangeLength(server);
    const cuts = [
      0,
      1,
      8,
      9,
      10,
      ...Array.from({ length: 15 }, (_, i) => Math.round((whole * (i + 1)) / 16)),
      whole - 1,
    ];
    await Promise.all(
      cuts.map(async (cutAt) => {
        const proxy = opened(await cuttingProxy(server.port, cutAt, how));
        const client = watching(proxy.uri);
        await until(() => client.entries[0] === 'c ACKED 2', `recovery after ${cutAt} bytes`);
        // An exchange may need fewer bytes than the measured one, because the frames of HTTP/2 between the messages vary.
        proxy.cut();
        await until(
          () => failedConnections(client).length + endedStreams(client).length > 0,
          `the loss after ${cutAt} bytes`,
        );
        expectAccount(client, `cut after ${cutAt} of ${whole} bytes by ${how}`);
      }),
    );
  });
});

const failedConnections = (client: LiveClient) =>
  client.of('channel').filter(({ state }) => state === 'transient-failure');
const endedStreams = (client: LiveClient) => client.of('stream').filter(({ change }) => change === 'ended');

/** Expects that the loss is logged, reported to watchers if no response had arrived, and that the cache is kept. */
function expectAccount(client: LiveClient, what: string): void {
  const { events } = client;
  const failed = failedConnections(client);
  const ended = endedStreams(client);
  for (const { reason } of failed) expect(reason, what).not.toBe('');
  for (const { status } of ended) expect(statusName(status?.code ?? 0), what).toBe('UNAVAILABLE');
  const broke = events.findIndex((e) => e === failed[0] || e === ended[0]);
  const hadResponse = events.slice(0, broke).some((e) => e.kind === 'response');
  expect(client.of('error').length > 0, what).toBe(!hadResponse);
  const versions = client.of('resource').map(({ version }) => version);
  expect(versions, what).toEqual([...new Set(versions)].sort());
}

/** The number of bytes that a server sends in a complete exchange. */
async function exchangeLength(server: LiveServer): Promise<number> {
  const proxy = opened(await cuttingProxy(server.port, Number.POSITIVE_INFINITY, 'end'));
  const client = watching(proxy.uri);
  await until(() => client.entries[0] === 'c ACKED 2', 'the complete exchange');
  return proxy.passed();
}

/** Sends a new version of `c` after each write, until the stream ends. */
function pour(call: Call): void {
  let version = 0;
  const more = (): void => {
    if (call.cancelled) return;
    const message = responseBytes(`${++version}`, [clusterBytes('c', version % 2)]);
    if (call.write(message)) setImmediate(more);
    else call.once('drain', more);
  };
  more();
}

/** The same response with another number instead of each 0000. */
function numbered(template: Buffer, number: number): Buffer {
  const message = Buffer.from(template);
  const digits = `${number}`.padStart(4, '0');
  for (let at = template.indexOf('0000'); at >= 0; at = template.indexOf('0000', at + 4)) message.write(digits, at);
  return message;
}

/** The memory after a garbage collection, including memory outside the heap. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

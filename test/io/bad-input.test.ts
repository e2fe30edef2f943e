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

// Longer than `until`, which says what it has waited for.

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

/** Sends these to each stream, when its first request has come. */
function first(...messages: readonly Buffer[]): Respond {
  return ({ node }, call) => {
    if (node !== undefined) for (const message of messages) call.write(message);
  };
}

const serve = async (respond: Respond): Promise<LiveServer> => opened(await LiveServer.start(respond));

/** `CODE message` of each stream that has ended. */
function ends(client: LiveClient): string[] {
  return client.of('stream').flatMap(({ status }) => (status ? [`${statusName(status.code)} ${status.message}`] : []));
}

describe('a message that is no answer', () => {
  it.each([
    ['garbage', Buffer.from('ff00ff12fe03', 'hex'), /^not a DiscoveryResponse: .+ at byte \d+$/],
    ['text', Buffer.from('<html>no</html>'), /^not a DiscoveryResponse: .+ at byte \d+$/],
    ['half a response', GOOD.subarray(0, GOOD.length / 2), /^not a DiscoveryResponse: .+ at byte \d+$/],
    ['nothing', Buffer.alloc(0), /^of a type that was never asked for$/],
    ['another type', responseBytes('1', [], { typeUrl: RESOURCE_TYPES.LDS }), /^of a type that was never asked for$/],
    ['no type', responseBytes('1', [], { typeUrl: 'no.such.Type' }), /^of a type that was never asked for$/],
  ])('%s is told and passed over, and the next one is read', async (_what, message, reason) => {
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

  it('of the right type with resources of another is refused, and changes nothing', async () => {
    const bad = Buffer.from(responseBytes('2', [clusterBytes('c')]));
    // The last letter of the type's name inside the resource.
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
    ['no page', { ':status': 404 }, '', /^UNIMPLEMENTED .*HTTP status code 404/],
    [
      'a compressed message that is none',
      GRPC_HEADERS,
      framed(Buffer.from('xx'), 2, 1),
      /^INTERNAL a compressed message could not be decompressed$/,
    ],
  ])('of a web server: %s ends the stream, and the watcher hears why', async (_what, headers, body, expected) => {
    const peer = opened(
      await http2Peer((stream) => {
        stream.respond(headers);
        stream.end(body);
      }),
    );
    const client = watching(peer.uri);
    await until(() => ends(client).length > 1, 'a second attempt');
    for (const end of ends(client)) expect(end).toMatch(expected);
    expect(client.told[0]).toMatch(/: xDS call failed with no responses received; status: [A-Z_]+: ./);
    expect(client.entries).toEqual(['c REQUESTED']);
  });
});

describe('resources that nobody asked for', () => {
  it('are not kept, however many names they have', async () => {
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
    // Some 180 MB have come since; what is kept is the test's own list of names.
    expect(grown).toBeLessThan(20 * MIB);
  });

  it('are refused with the rest where they are bad, and not kept either', async () => {
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

describe('a server that does not stop', () => {
  it('is read one response at a time, leaves room for others, and can be left', async () => {
    const server = await serve(({ node }, call) => node !== undefined && pour(call));
    const client = watching(server.uri);
    await client.hears(/OnResourceChanged CDS/);
    let longest = 0;
    for (let i = 0; i < 20; i++) {
      const start = performance.now();
      await aWhile(10);
      longest = Math.max(longest, performance.now() - start);
    }
    const seen = client.of('response');
    expect(seen.length).toBeGreaterThan(50);
    expect(longest).toBeLessThan(500);
    // None is left out, and none comes before its turn.
    expect(seen.map(({ version }) => version)).toEqual(seen.map((_, i) => `${i + 1}`));
    client.watch('d');
    await until(() => server.requests.some(({ resourceNames }) => resourceNames.includes('d')), 'the new name');
    client.close();
    const events = client.events.length;
    await until(() => server.cancelled === 1, 'the end');
    expect(client.events).toHaveLength(events);
  });

  it('is not read while a watcher is at work', async () => {
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

describe('a response that is large', () => {
  it.each([5, 100])(
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
    20_000,
  );

  it('and over the limit ends the stream with the limit in words, and is asked for again in growing intervals', async () => {
    const peer = opened(
      await http2Peer((stream) => {
        stream.respond(GRPC_HEADERS);
        stream.write(framed(GOOD.subarray(0, 10), 129 * MIB));
      }),
    );
    const client = watching(peer.uri, { speed: 50 });
    await until(() => ends(client).length > 2, 'a third attempt');
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

  it('and over the limit after a good one takes nothing away, and is no error to anybody', async () => {
    const peer = opened(
      await http2Peer((stream) => {
        stream.respond(GRPC_HEADERS);
        stream.write(framed(GOOD));
        stream.write(framed(GOOD.subarray(0, 10), 129 * MIB));
      }),
    );
    const client = watching(peer.uri);
    await until(() => ends(client).length > 1, 'a second attempt');
    expect(ends(client)[0]).toMatch(/^RESOURCE_EXHAUSTED Received message larger than max/);
    expect(client.entries).toEqual(['c ACKED 1']);
    expect(client.told).toEqual(['c OnResourceChanged CDS']);
    const waits = client.of('stream').flatMap(({ retryIn }) => retryIn ?? []);
    for (const wait of waits) expect(Math.abs(wait - 1000)).toBeLessThanOrEqual(200);
  });
});

describe('a connection that breaks at any byte', () => {
  /** Two responses, the second when the first has been accepted. */
  const inTwoSteps: Respond = ({ versionInfo }, call) => {
    if (versionInfo !== '2') call.write(responseBytes(`${Number(versionInfo) + 1}`, [clusterBytes('c', 300)]));
  };

  it.each(['end', 'reset'] as const)('by %s is told, takes nothing away, and is made again', async (how) => {
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
        expectAccount(client, `cut after ${cutAt} of ${whole} bytes by ${how}`);
      }),
    );
  });
});

/** The loss is in the log, watchers hear of it where no response had come, and what was there has stayed. */
function expectAccount(client: LiveClient, what: string): void {
  const { events } = client;
  const failed = client.of('channel').filter(({ state }) => state === 'transient-failure');
  const ended = client.of('stream').filter(({ change }) => change === 'ended');
  expect(failed.length + ended.length, what).toBeGreaterThan(0);
  for (const { reason } of failed) expect(reason, what).not.toBe('');
  for (const { status } of ended) expect(statusName(status?.code ?? 0), what).toBe('UNAVAILABLE');
  const broke = events.findIndex((e) => e === failed[0] || e === ended[0]);
  const hadResponse = events.slice(0, broke).some((e) => e.kind === 'response');
  expect(client.of('error').length > 0, what).toBe(!hadResponse);
  const versions = client.of('resource').map(({ version }) => version);
  expect(versions, what).toEqual([...new Set(versions)].sort());
}

/** How many bytes a server sends in an exchange that nothing breaks. */
async function exchangeLength(server: LiveServer): Promise<number> {
  const proxy = opened(await cuttingProxy(server.port, Number.POSITIVE_INFINITY, 'end'));
  const client = watching(proxy.uri);
  await until(() => client.entries[0] === 'c ACKED 2', 'a whole exchange');
  return proxy.passed();
}

/** Sends a new version of `c` whenever the last one has left, for as long as anyone listens. */
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

/** The same response with another number wherever it says 0000. */
function numbered(template: Buffer, number: number): Buffer {
  const message = Buffer.from(template);
  const digits = `${number}`.padStart(4, '0');
  for (let at = template.indexOf('0000'); at >= 0; at = template.indexOf('0000', at + 4)) message.write(digits, at);
  return message;
}

/** After a collection; also what lies outside the heap. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

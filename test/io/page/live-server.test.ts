import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { feedRecording, readHeader } from '../../../src/inspect/feed-recording.js';
import type { SessionHistory } from '../../../src/inspect/history/session-history.js';
import { BindFailure } from '../../../src/io/listening-socket.js';
import { LiveServer } from '../../../src/io/page/live-server.js';
import { LiveSession } from '../../../src/io/page/live-session.js';
import { later } from '../../support/clean-up.js';
import { documentsAt, historyOf, type Journal, journalOf, recordedScenario } from '../../support/journal.js';
import { ask, LiveReader } from '../../support/live-page.js';
import { textRecording } from '../../support/text-recording.js';
import { until } from '../../support/until.js';

const SCENARIO = 'demo/rejected-update.yaml';
const LINES = recordedScenario(SCENARIO);
/** A session with steps at many times. */
const LONG = recordedScenario('findings/nack-loop.yaml');
const END = Number.POSITIVE_INFINITY;
const POLICY = "default-src 'none'";

interface Running {
  server: LiveServer;
  session: LiveSession;
  /** Sends the next inputs of the recording, all if no number is given. */
  feed(count?: number): Promise<void>;
  lines: readonly string[];
}

/** A server that shows a recorded scenario, as far as it was fed. */
async function running({ lines = LINES, maxBytes = 1e9 } = {}): Promise<Running> {
  const file = textRecording(lines);
  const header = await readHeader(file);
  let now = header.start;
  const server = await LiveServer.start(0, { now: () => now });
  later(() => void server.close('the test is over'));
  const format = { keyOf: (typeUrl: string, { length }: Uint8Array) => `${typeUrl} ${length}`, print: () => '{"a":1}' };
  const session = await LiveSession.start({ header, suppress: new Set(), format, onStep: server.onStep, maxBytes });
  server.serve({ session, html: Buffer.from('<p>page'), policy: POLICY });
  const inputs: (() => void)[] = [];
  await feedRecording(
    { file, header, until: undefined },
    {
      input: (input, at) =>
        inputs.push(() => {
          now = at;
          session.recorder.record(input, at);
        }),
      end: (at) => {
        inputs.push(() => {
          now = at;
        });
      },
    },
  );
  const feed = async (count = inputs.length): Promise<void> => {
    for (const input of inputs.splice(0, count)) input();
    await until(() => session.now(END) === END, 'the second engine is done');
  };
  return { server, session, feed, lines };
}

/** Waits until a page has received all events, and compares it with a history at some times. */
async function expectEqual(
  reader: LiveReader,
  lines: readonly string[],
  at?: (all: Journal) => number[],
): Promise<void> {
  const original = await journalOf(lines);
  const all = historyOf(original);
  const received = (): number => (reader.history?.forgottenEvents ?? 0) + (reader.history?.events.length ?? 0);
  await until(() => reader.isReady && received() === all.events.length, 'all events arrive');
  const history = reader.history as SessionHistory;
  all.advance(history.end);
  for (const time of at?.(original) ?? [END]) expect(documentsAt(history, time)).toEqual(documentsAt(all, time));
}

describe.concurrent('the server of a live page', () => {
  it('sends the page with headers that keep it to itself', async () => {
    const { server } = await running();
    const { status, headers, body } = await ask(server.link);
    expect([status, body]).toEqual([200, '<p>page']);
    expect(headers).toMatchObject({
      'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('has a link that cannot be guessed', async () => {
    const links = await Promise.all([running(), running()]).then((all) => all.map(({ server }) => server.link));
    for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/);
    expect(new URL(links[0] as string).pathname).not.toBe(new URL(links[1] as string).pathname);
  });

  const PATHS = ['', 'events', 'contents?key=x', 'recording'];
  const wrongToken = (link: string): string => `${link.slice(0, -2)}${link.at(-2) === 'A' ? 'B' : 'A'}/`;

  it.each(PATHS)('sends nothing at /%s to a request with another token', async (path) => {
    const { server } = await running();
    const origin = `http://127.0.0.1:${server.port}`;
    for (const link of [wrongToken(server.link), `${origin}/`, `${origin}//`, `${origin}/${'A'.repeat(5000)}/`]) {
      const { status, body } = await ask(link + path);
      expect([link, status, body]).toEqual([link, 404, '']);
    }
  });

  it.each(PATHS)('sends nothing at /%s to a web site whose name resolves to this machine', async (path) => {
    const { server } = await running();
    for (const host of [
      `evil.example:${server.port}`,
      `127.0.0.1.evil.example:${server.port}`,
      '10.0.0.1',
      '@localhost',
    ]) {
      const { status, body } = await ask(server.link + path, 'GET', { host });
      expect([host, status, body]).toEqual([host, 403, '']);
    }
  });

  it.each([
    ['localhost:PORT', undefined],
    ['[::1]:PORT', undefined],
    // A port that ssh -L forwards.
    ['localhost:9000', 'http://localhost:9000'],
  ])('sends the page for the host %s and the origin %s', async (host, origin) => {
    const { server } = await running();
    const named = { host: host.replace('PORT', String(server.port)), ...(origin !== undefined && { origin }) };
    expect((await ask(server.link, 'GET', named)).status).toBe(200);
  });

  it('rejects requests of other web sites in the same browser', async () => {
    const { server } = await running();
    const { link, port } = server;
    for (const origin of ['https://evil.example', 'null', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1'])
      expect([origin, (await ask(link, 'GET', { origin })).status]).toEqual([origin, 403]);
    const from = (site: string, mode: string) => ({ 'sec-fetch-site': site, 'sec-fetch-mode': mode });
    for (const path of ['contents?key=x', 'recording', 'events'])
      expect([path, (await ask(link + path, 'GET', from('cross-site', 'no-cors'))).status]).toEqual([path, 403]);
    expect((await ask(link, 'GET', from('same-site', 'no-cors'))).status).toBe(403);
    expect((await ask(link, 'GET', from('cross-site', 'navigate'))).status).toBe(200);
  });

  it('answers GET and HEAD only', async () => {
    const { server } = await running();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers, body } = await ask(server.link, method);
      expect([method, status, headers.allow, body]).toEqual([method, 405, 'GET, HEAD', '']);
    }
    for (const path of ['', 'events', 'recording'])
      expect(await ask(server.link + path, 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await ask(`${server.link}favicon.ico`)).status).toBe(404);
  });

  it('has nothing to show before the client has started', async () => {
    const server = await LiveServer.start(0, { now: () => 0 });
    expect(await ask(server.link)).toMatchObject({ status: 503, body: '' });
    await server.close('the test is over');
  });

  it('reports a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as { port: number };
    const failure = await LiveServer.start(port, { now: () => 0 }).catch((error: unknown) => error);
    other.close();
    expect(failure).toBeInstanceOf(BindFailure);
    expect(failure).toMatchObject({
      exitCode: 69,
      message: `port ${port} on 127.0.0.1 is already in use: stop the process that uses it, or choose another with --ui (0 selects a free one)`,
    });
  });
});

describe.concurrent('a live page', () => {
  it('has the same history as a replay, whether it comes early or late', async () => {
    const { server, feed, lines } = await running();
    const early = new LiveReader(server.link);
    await until(() => early.isReady, 'the first page is ready');
    await feed(10);
    const middle = new LiveReader(server.link);
    await until(() => middle.isReady, 'the second page is ready');
    await feed();
    const late = new LiveReader(server.link);
    for (const reader of [early, middle, late]) {
      await expectEqual(reader, lines, ({ steps }) => steps.map(({ at }) => at));
      expect(reader.history?.verdictChanges()).toEqual(historyOf(await journalOf(lines)).verdictChanges());
      expect(reader.events).toEqual(['reset', 'ready']);
    }
  });

  it('shows the present after old steps were folded', async () => {
    const { server, session, feed, lines } = await running({ lines: LONG, maxBytes: 100_000 });
    await feed();
    const reader = new LiveReader(server.link);
    await expectEqual(reader, lines);
    const { from = 0, client } = reader.history ?? {};
    expect(session.window.first).toBeGreaterThan(0);
    expect(from).toBeGreaterThan(client?.start ?? 0);
  });

  it('starts again if it is so slow that the steps it needs are gone', async () => {
    const { server, feed, lines } = await running({ lines: LONG, maxBytes: 50_000 });
    const reader = new LiveReader(server.link);
    await until(() => reader.isReady, 'the page is ready');
    // All steps at once: most of them are folded before the page gets the next message.
    await feed();
    await expectEqual(reader, lines);
    expect(reader.events.slice(0, 3)).toEqual(['reset', 'ready', 'reset']);
    expect(reader.events.at(-1)).toBe('ready');
  });

  it('is complete again after its connection was cut', async () => {
    const { server, feed, lines } = await running();
    const first = new LiveReader(server.link);
    await feed(12);
    await until(() => first.isReady, 'the page is ready');
    first.cut();
    await until(() => server.pages === 0, 'the server notices');
    await feed();
    await expectEqual(new LiveReader(server.link), lines);
  });

  it('receives the last steps and the reason when the tool ends', async () => {
    const { server, session, feed, lines } = await running();
    const reader = new LiveReader(server.link);
    await until(() => reader.isReady, 'the page is ready');
    await feed(20);
    session.recorder.close();
    await server.close('it was interrupted');
    await until(() => reader.isClosed, 'the connection ends');
    expect(reader.bye).toMatchObject({ reason: 'it was interrupted' });
    expect(reader.events.at(-1)).toBe('bye');
    expect(reader.history?.events.length).toBeGreaterThan(0);
    expect(lines.length).toBeGreaterThan(20);
    await expect(ask(server.link)).rejects.toThrow('ECONNREFUSED');
  });

  it('does not keep the tool from ending if it does not read', async () => {
    const { server, feed } = await running();
    await feed();
    const stuck = new LiveReader(server.link);
    await until(() => server.pages === 1, 'the page connects');
    await server.close('the command is complete');
    expect(server.pages).toBe(0);
    stuck.cut();
  });

  it('loads contents by key, and a sentence for those that are gone', async () => {
    const { server, session, feed } = await running();
    await feed();
    const [entry] = [...session.window.entries()].filter(({ bytes }) => bytes !== undefined);
    const key = encodeURIComponent(`${entry?.typeUrl} ${entry?.bytes?.length}`);
    expect(await ask(`${server.link}contents?key=${key}&key=no`)).toMatchObject({ status: 200, body: '[{"a":1}]' });
    const missing = await ask(`${server.link}contents?key=no`);
    expect(missing).toMatchObject({ status: 404, body: expect.stringContaining('does not keep it') });
  });

  it('loads a recording that replays the session', async () => {
    const { server, feed, lines } = await running();
    await feed();
    const { body } = await ask(`${server.link}recording`);
    const [got, original] = [await journalOf(body.trimEnd().split('\n')), await journalOf(lines)];
    expect(documentsAt(historyOf(got), END)).toEqual(documentsAt(historyOf(original), END));
  });

  it('is one of at most sixteen', async () => {
    const { server } = await running();
    for (let i = 0; i < 16; i++) new LiveReader(server.link);
    await until(() => server.pages === 16, 'all pages connect');
    expect(await ask(`${server.link}events`)).toMatchObject({ status: 503, body: '' });
  });
});

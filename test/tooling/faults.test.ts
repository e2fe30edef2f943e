import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScopeSnapshot } from '../../src/engine/scope.js';
import { readArguments } from '../../tools/faults/arguments.js';
import type { LoggedEvent } from '../../tools/faults/client/logged-event.js';
import { differenceFrom } from '../../tools/faults/converged.js';
import { FloodPlane } from '../../tools/faults/flood/plane.js';
import { markedProcesses } from '../../tools/faults/leftovers.js';
import { LineProcess } from '../../tools/faults/line-process.js';
import { SOLO } from '../../tools/faults/model.js';
import type { PlaneRecord } from '../../tools/faults/plane/plane-process.js';
import { programs } from '../../tools/faults/programs.js';
import { cutSocket } from '../../tools/faults/proxy/faulty-connection.js';
import { checkLog, checkStreamCount } from '../../tools/faults/rules/check-log.js';
import { runSuite } from '../../tools/faults/run-suite.js';
import { comparable, firstDifference, outstanding } from '../../tools/faults/state.js';
import type { Suite } from '../../tools/faults/suite.js';
import { until } from '../../tools/faults/until.js';
import { ROOT } from '../support/root.js';

const TYPE_URL = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';
const BASE = { at: '2026-01-01T00:00:00.000Z', scope: '', server: 's' };
const CDS = { ...BASE, type: 'CDS' as const, typeUrl: TYPE_URL };

const opened = (stream: number): LoggedEvent => ({ ...BASE, kind: 'stream', stream, change: 'opened' });
const ended = (stream: number): LoggedEvent => ({ ...BASE, kind: 'stream', stream, change: 'ended' });
const request = (stream: number, version: string, nonce: string): LoggedEvent => {
  return { ...CDS, kind: 'request', stream, names: [SOLO], version, nonce, error: null };
};
const response = (stream: number, version: string, nonce: string): LoggedEvent => {
  return { ...CDS, kind: 'response', stream, names: [SOLO], version, nonce, ignored: null };
};
const updated = (version: string, replaces: string | undefined): LoggedEvent => {
  const replaced = replaces === undefined ? null : { version: replaces, sameStream: true };
  return { ...CDS, kind: 'resource', name: SOLO, change: 'updated', status: 'ACKED', version, replaces: replaced };
};

const planeBase = { at: 0, server: 'primary' };
const accepted = (stream: number): PlaneRecord => {
  return { ...planeBase, kind: 'stream', stream, change: 'opened', status: undefined };
};
const received = (stream: number, version: string, nonce: string): PlaneRecord => {
  const message = { typeUrl: TYPE_URL, names: [SOLO], version, nonce, nodeId: '', error: undefined };
  return { ...planeBase, kind: 'request', stream, ...message };
};
const sent = (stream: number, version: string, nonce: string): PlaneRecord => {
  return { ...planeBase, kind: 'response', stream, typeUrl: TYPE_URL, version, nonce, names: [SOLO], errors: [] };
};

/** A client with two streams. The first breaks while a response and an ACK are on their way. */
const EVENTS: readonly LoggedEvent[] = [
  opened(1),
  request(1, '', ''),
  response(1, '1', '1.1'),
  updated('1', undefined),
  request(1, '1', '1.1'),
  response(1, '4', '1.2'),
  updated('4', '1'),
  request(1, '4', '1.2'),
  ended(1),
  opened(3),
  request(3, '4', ''),
  response(3, '4', '2.1'),
  request(3, '4', '2.1'),
  response(3, '6', '2.2'),
  updated('6', '4'),
  request(3, '6', '2.2'),
];
const PLANE: readonly PlaneRecord[] = [
  accepted(1),
  received(1, '', ''),
  sent(1, '1', '1.1'),
  received(1, '1', '1.1'),
  sent(1, '4', '1.2'),
  sent(1, '6', '1.3'),
  accepted(2),
  received(2, '4', ''),
  sent(2, '4', '2.1'),
  received(2, '4', '2.1'),
  sent(2, '6', '2.2'),
  received(2, '6', '2.2'),
];

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, i) => i !== index);
const twice = <T>(list: readonly T[], index: number): T[] =>
  list.flatMap((one, i) => (i === index ? [one, one] : [one]));
const indexOf = (kind: string, nonce: string): number =>
  EVENTS.findIndex((event) => event.kind === kind && event.nonce === nonce);
const update = (version: string): number =>
  EVENTS.findIndex((event) => event.kind === 'resource' && event.version === version);

describe('the rules of npm run faults', () => {
  it('accept a log in which the connection breaks while messages are on their way', () => {
    expect(checkLog(EVENTS, PLANE)).toEqual({ failures: [], events: 16, streams: 2, transitions: 3 });
  });

  it.each<[string, LoggedEvent[], RegExp]>([
    ['a lost response', without(EVENTS, indexOf('response', '1.1')), /response 1 is CDS version "4"/],
    ['a lost response at the end of an open stream', EVENTS.slice(0, 13), /response 2 is missing/],
    ['a doubled response', twice(EVENTS, indexOf('response', '2.1')), /response 2 is CDS version "4" nonce "2.1"/],
    ['a lost request', without(EVENTS, indexOf('request', '2.1')), /received request 2 is .* instead of/],
    ['a doubled request', twice(EVENTS, indexOf('request', '2.2')), /received request 4 is missing/],
    ['a lost ACK', EVENTS.slice(0, -1), /CDS 2\.2 has no ACK and no NACK/],
    ['a lost update', without(EVENTS, update('4')), /expected \[CDS solo version 4 replaces 1\]/],
    ['a doubled update', twice(EVENTS, update('4')), /the events are \[CDS solo version 4 replaces 1; CDS/],
    ['an update with a gap', EVENTS.map((e, i) => (i === update('6') ? updated('6', '1') : e)), /version 6 replaces 4/],
    ['a response of no stream', [...EVENTS.slice(0, 5), response(9, '4', '1.2')], /on stream 9, which is not opened/],
    [
      'a request after the end',
      [...EVENTS.slice(0, 9), request(1, '4', '1.2')],
      /request {2}on stream 1 after its end/,
    ],
    ['a stream beside another', without(EVENTS, 8), /stream 3 is opened while stream 1 is open/],
    ['a stream opened twice', twice(EVENTS, 0), /stream 1 is opened, which is not a new number/],
    ['a nonce of another stream', EVENTS.map((e) => (e.nonce === '2.1' ? { ...e, nonce: '7.1' } : e)), /nonce 7\.1/],
  ])('find %s', (_, events, failure) => {
    expect(checkLog(events, PLANE).failures.join('\n')).toMatch(failure);
  });

  it('find a stream of the control plane that no client opened', () => {
    expect(checkStreamCount([checkLog(EVENTS, PLANE)], PLANE)).toEqual([]);
    expect(checkStreamCount([checkLog(EVENTS, PLANE)], [...PLANE, accepted(3)])).toHaveLength(1);
  });

  it('compare states without the notes about connection errors', () => {
    const withNotes = (note: string): string => {
      const config = { listenerNote: note, routesNote: note, clusters: new Map([['blue', { note }]]) };
      return comparable([{ scope: '', entries: [], channels: [{ state: { config } }] }] as unknown as ScopeSnapshot[]);
    };
    expect(withNotes('RDS resource routes: xDS call failed')).toBe(withNotes(''));
  });

  it('find the first difference of two states, and resources of another version', () => {
    expect(firstDifference('a\nb', 'a\nb')).toBeUndefined();
    expect(firstDifference('a\nb', 'a\nc')).toBe('b instead of c');
    expect(outstanding(EVENTS, 6, [''])).toEqual([]);
    expect(outstanding(EVENTS, 9, [''])).toEqual([' CDS solo is ACKED in version 6, not 9']);
  });
});

describe('a client behind changed bits', () => {
  it('is compared when its state has become the expected one, since its event log may be wrong', async () => {
    const states = ['version 7', 'version 7', 'version 9'];
    const state = async (): Promise<string> => states.shift() ?? 'version 9';
    expect(await differenceFrom('version 9', { state, isCorrupted: true })).toBeUndefined();
    expect(await differenceFrom('version 8', { state, isCorrupted: true }, 1)).toBe('version 9 instead of version 8');
  });

  it('has a proxy that resets a connection even if it has begun to end', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    const problems: Error[] = [];
    socket.on('error', (error) => problems.push(error));
    const isClosed = once(socket, 'close', { signal: AbortSignal.timeout(5000) });
    socket.end();
    cutSocket(socket, 'reset');
    await isClosed;
    expect(problems).toEqual([]);
    client.destroy();
    server.close();
  });
});

const options = { root: ROOT, quick: true, seed: 1, settleMs: 1, progress: () => {} };
const suite = (run: Suite['run']): Suite => ({ name: 'test', summary: '', quick: true, run });

describe('a suite of npm run faults', () => {
  it('fails if it leaves a process, a server, a timer or a file, or throws', async () => {
    const closes: (() => unknown)[] = [];
    const { failures } = await runSuite(
      suite(async ({ folder }) => {
        const child = new LineProcess(['sleep', '600'], () => {});
        const server = createServer().listen(0, '127.0.0.1');
        await once(server, 'listening');
        const timer = setTimeout(() => {}, 600_000);
        closes.push(
          () => child.kill(),
          () => server.close(),
          () => clearTimeout(timer),
        );
        writeFileSync(join(folder, 'left.txt'), '');
        throw new Error('a failed check');
      }),
      options,
    );
    await Promise.all(closes.map((close) => close()));
    const text = failures.join('\n');
    for (const part of [/a failed check/, /sleep 600/, /\d TCPServerWrap/, /\d Timeout/, /left\.txt/])
      expect(text).toMatch(part);
    await until(
      () => markedProcesses().length === 0,
      () => 'the end of the process',
    );
  });

  it('leaves no file of the programs that flood a client', async () => {
    const { failures } = await runSuite(
      suite(async () => {
        const plane = await FloodPlane.start((await programs(ROOT)).flood, 'update');
        await plane.end();
        return { counts: {}, failures: [] };
      }),
      options,
    );
    expect(failures.filter((failure) => failure.startsWith('a file'))).toEqual([]);
  });

  it('rejects unknown names and numbers, and lists the suites', () => {
    const suites = [{ name: 'proxy', summary: 'breaks connections' }];
    expect(readArguments(['--only', 'proxy', '--seed', '7'], suites)).toEqual({
      quick: false,
      seed: 7,
      only: ['proxy'],
    });
    expect(readArguments(['--only', 'x'], suites)).toEqual({ text: expect.stringContaining('proxy'), exit: 64 });
    expect(readArguments(['--seed', 'x'], suites)).toMatchObject({ exit: 64 });
    expect(readArguments(['--wrong'], suites)).toMatchObject({ exit: 64 });
    expect(readArguments(['--help'], suites)).toEqual({ text: expect.stringContaining('breaks connections'), exit: 0 });
  });
});

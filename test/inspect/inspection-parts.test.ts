import { describe, expect, it } from 'vitest';
import type { ErrorEvent, Event } from '../../src/core/event.js';
import type { ScopeSnapshot } from '../../src/engine/scope.js';
import { ErrorLog } from '../../src/inspect/error-log.js';
import { inspectionResult, verdictsOfScope } from '../../src/inspect/inspection-result.js';
import { followTarget, type Resolver } from '../../src/inspect/resolve-targets.js';
import { resourceDetail } from '../../src/inspect/resource-detail.js';
import { SessionCounts } from '../../src/inspect/session-counts.js';
import { isComplete } from '../../src/inspect/settled.js';
import { TimerEnds } from '../../src/inspect/timer-ends.js';
import type { TargetVerdict } from '../../src/inspect/verdict/verdict.js';
import type { XdsResource } from '../../src/resources/resource.js';
import { causeScenarios } from './cause-scenarios.js';

const event = (fields: object): Event => ({ at: 0, scope: 's', server: 'p', ...fields }) as unknown as Event;

describe('the counts of a session', () => {
  it('contain NACKs and other errors once each, with the first of them', () => {
    const counts = new SessionCounts();
    const nack = event({ kind: 'response', refused: 'bad' });
    const error = event({ kind: 'error', cause: 'timer' });
    const others = [event({ kind: 'response', refused: undefined }), event({ kind: 'error', cause: 'nack' })];
    for (const one of [...others, nack, error, event({ kind: 'error', cause: 'channel' })]) counts.observe(one);
    expect([counts.nacks, counts.errors]).toEqual([
      { count: 1, first: nack },
      { count: 2, first: error },
    ]);
  });
});

describe('the next end of a resource timer', () => {
  const started = (at: number, milliseconds: number, ...names: string[]): Event =>
    event({ kind: 'timer', change: 'started', at, typeUrl: 't', names, milliseconds });
  const open = (...names: string[]) => names.map((name) => ({ typeUrl: 't', name }));

  it.each<[title: string, names: string[], now: number, end: number | undefined]>([
    ['is the first among the open resources', ['a', 'c'], 300, 800],
    ['ignores resources that are not open', ['b'], 300, 1200],
    ['is none for a resource without a timer', ['x'], 300, undefined],
    ['ignores timers that have expired', ['a', 'c'], 900, 1200],
    ['is none after all have expired', ['a', 'c'], 2000, undefined],
  ])('%s', (_, names, now, end) => {
    const ends = new TimerEnds();
    for (const one of [started(200, 1000, 'a', 'b'), started(300, 500, 'c')]) ends.observe(one);
    expect(ends.next(open(...names), now)).toBe(end);
  });
});

describe('an inspection is complete', () => {
  const scope = (failure: object | undefined, status: string, kind: string, isWithheld = false): ScopeSnapshot =>
    ({
      authorities: [{ name: '', servers: [{ failure }] }],
      entries: [{ status, authority: '' }],
      channels: [{ state: { kind }, isWithheld }],
    }) as unknown as ScopeSnapshot;

  it.each<[title: string, ScopeSnapshot, boolean]>([
    ['with all resources and a configuration', scope(undefined, 'ACKED', 'published'), true],
    ['not before the configuration', scope(undefined, 'ACKED', 'none'), false],
    ['not while a configuration is held back', scope(undefined, 'ACKED', 'published', true), false],
    ['not while a resource is missing', scope(undefined, 'REQUESTED', 'published'), false],
    ['without a configuration if no server is left that could send it', scope({}, 'REQUESTED', 'none'), true],
  ])('%s', (_, snapshot, complete) => {
    expect(isComplete(snapshot)).toBe(complete);
  });
});

describe('the result of an inspection', () => {
  it('says how long it ran, not when', async () => {
    const scenario = causeScenarios().find(({ name }) => name === 'ok');
    const { inspection, clock } = (await scenario?.open()) ?? {};
    if (inspection === undefined || clock === undefined) throw new Error('no scenario');
    clock.advanceBy(5000);
    inspection.start();
    clock.advanceBy(1000);
    expect(inspectionResult(inspection, 'met').waitedMs).toBe(1000);
    inspection.close();
  });

  it('gives a scope only its own verdicts', () => {
    const verdicts = [
      { scope: 'a', target: 't' },
      { scope: 'b', target: 't' },
    ] as unknown as TargetVerdict[];
    expect(verdictsOfScope(verdicts, { scope: 'b' })).toEqual([verdicts[1]]);
  });
});

describe('a target of another resolver', () => {
  it('is refused with the target to use instead', () => {
    expect(followTarget('dns:///greeter', {} as Resolver, undefined)).toEqual({
      kind: 'unusable',
      message: 'not an xDS target: use xds:///greeter',
    });
  });
});

describe('the summary of a cluster', () => {
  const cluster = (discovery: object, lbPolicy?: object): string =>
    resourceDetail({ type: 'CDS', value: { discovery, lbPolicy } } as unknown as XdsResource);

  it.each<[title: string, text: string, discovery: object, policy?: object]>([
    ['without an LB policy is its type', 'EDS', { kind: 'eds', serviceName: '' }],
    ['names its LB policy', 'EDS, round_robin', { kind: 'eds', serviceName: '' }, { round_robin: {} }],
    ['names its endpoint resource', 'EDS svc', { kind: 'eds', serviceName: 'svc' }],
    ['names its host', 'DNS db:80', { kind: 'logical dns', host: 'db', port: 80 }],
    ['names its clusters', 'aggregate of a, b', { kind: 'aggregate', clusters: ['a', 'b'] }],
  ])('%s', (_, text, discovery, policy) => {
    expect(cluster(discovery, policy)).toBe(text);
  });
});

describe('the log of errors', () => {
  it('keeps errors apart whose code and message look the same when joined', () => {
    const log = new ErrorLog();
    const common = { kind: 'error', cause: 'channel', typeUrl: 't', name: 'n', watchers: 1, effect: 'kept' };
    for (const status of [
      { code: 1, message: '4 down' },
      { code: 14, message: ' down' },
    ])
      log.observe(event({ ...common, status }) as ErrorEvent);
    expect(log.errors().map(({ count }) => count)).toEqual([1, 1]);
  });
});

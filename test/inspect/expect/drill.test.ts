import { describe, expect, it } from 'vitest';
import { Drill, type DrillClient } from '../../../src/inspect/expect/drill.js';
import type { DrillSpec } from '../../../src/inspect/expect/expectations.js';
import { VerdictFacts } from '../../../src/inspect/verdict/facts.js';
import { type Verdict, verdictOf } from '../../../src/inspect/verdict/verdict.js';
import { json } from '../../deps/follow.js';
import { blockedWorld } from '../../engine/blocked-world.js';

const SPEC: DrillSpec = { at: { line: 1, column: 1 }, drop: 'primary', readyWithin: 5000, backWithin: 10_000 };

/** Runs a drill to its end on virtual time. Calls `meanwhile` with the time. */
function drilled(
  { plane, blocking, startClient }: ReturnType<typeof blockedWorld>,
  spec: Partial<DrillSpec> = {},
  meanwhile: (blocked: boolean) => void = () => {},
) {
  let isBlocked = false;
  const clientWithVerdict = (): DrillClient => {
    const { snapshot } = startClient();
    const verdict = (): Verdict | undefined => {
      const scope = snapshot();
      const [channel] = scope?.channels ?? [];
      const context = { facts: new VerdictFacts(), nodeId: 'n', now: plane.clock.now() };
      return scope && channel && verdictOf(scope, channel, context);
    };
    return { snapshot, verdict };
  };
  const ports = {
    block: (uri: string) => {
      isBlocked = true;
      blocking.block(uri);
    },
    unblock: (uri: string) => blocking.unblock(uri),
    startClient: clientWithVerdict,
  };
  const drill = new Drill({ ...SPEC, ...spec }, ports, plane.clock.now());
  const began = plane.clock.now();
  while (!drill.step(plane.clock.now())) {
    if (plane.clock.now() - began > 60_000) throw new Error('the drill does not end');
    meanwhile(isBlocked);
    plane.pass(50);
  }
  return drill.evaluations;
}

describe('a fallback drill', () => {
  it('passes if the fallback serves everything, and reports the duration of each stage', () => {
    const there = blockedWorld(['p', 'q']);
    expect(drilled(there)).toMatchObject([
      {
        ok: true,
        expected: 'a ready client stays ready without p',
        actual: expect.stringMatching(/^ready for \d+ ms without it$/),
      },
      {
        ok: true,
        expected: 'ready on another server within 5.0 s',
        actual: expect.stringMatching(/^ready on q after \d+ ms$/),
      },
      { ok: true, expected: 'back on p within 10.0 s', actual: expect.stringMatching(/^back after [\d.]+ m?s$/) },
    ]);
    const fallbacks = there.events
      .filter((event) => event.kind === 'fallback')
      .map(({ change, server }) => [change, server]);
    expect(fallbacks).toEqual([
      ['down', 'q'],
      ['up', 'p'],
    ]);
  });

  it('fails if the fallback lacks a resource', () => {
    const there = blockedWorld(['p', 'q']);
    there.plane.servers.get('q')?.set('RDS', 'r', undefined);
    expect(drilled(there)).toMatchObject([
      { ok: true },
      {
        ok: false,
        actual: expect.stringMatching(/^not ready after 5\.0 s: waiting for r; p: .*blocked by the drill$/),
      },
      { ok: true },
    ]);
  });

  it('fails if the fallback serves everything, but no usable endpoint', () => {
    const there = blockedWorld(['p', 'q']);
    there.plane.servers.get('q')?.set('EDS', 'a', { cluster_name: 'a' });
    expect(drilled(there)).toMatchObject([
      { ok: true },
      { ok: false, actual: expect.stringMatching(/^not ready after 5\.0 s: verdict fails: cluster a: no endpoints/) },
      { ok: true },
    ]);
  });

  it('compares with the state before: a route that fails on the primary may fail on the fallback', () => {
    const there = blockedWorld(['p', 'q']);
    for (const server of there.plane.servers.values()) {
      const routes = [
        { match: { prefix: '/x' }, route: { cluster: 'empty' } },
        { match: { prefix: '' }, route: { cluster: 'a' } },
      ];
      server.set('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
      server.set('CDS', 'empty', json.eds('empty')).set('EDS', 'empty', { cluster_name: 'empty' });
    }
    expect(drilled(there).map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  it('does not start with a client whose RPCs all fail', () => {
    const there = blockedWorld(['p', 'q']);
    for (const server of there.plane.servers.values()) server.set('EDS', 'a', { cluster_name: 'a' });
    expect(drilled(there)).toMatchObject([
      { ok: false, actual: expect.stringMatching(/^not ready on the primary before the drill.*: verdict fails: /) },
    ]);
  });

  it('fails if the fallback cannot be reached either', () => {
    const there = blockedWorld(['p', 'q']);
    there.plane.servers.get('q')?.goDown();
    const [, onFallback] = drilled(there);
    expect(onFallback).toMatchObject({
      ok: false,
      actual: expect.stringContaining('channel in TRANSIENT_FAILURE: down'),
    });
  });

  it('fails if the primary does not recover', () => {
    const there = blockedWorld(['p', 'q']);
    const evaluations = drilled(there, {}, (isBlocked) => {
      if (isBlocked) there.plane.servers.get('p')?.goDown();
    });
    expect(evaluations.at(-1)).toMatchObject({ ok: false, actual: 'not back after 10.0 s: still on q' });
  });

  it.each<[servers: string[], drop: string, actual: string]>([
    [['p'], 'primary', 'no fallback server: the bootstrap has only p'],
    [['p', 'q'], 'x:1', 'the bootstrap has no server x:1 for this target: it has p, q'],
  ])('of %j that drops %s reports the missing server', (servers, drop, actual) => {
    expect(drilled(blockedWorld(servers), { drop })).toMatchObject([{ ok: false, actual }]);
  });

  it('does not start with a client that is not ready', () => {
    const there = blockedWorld(['p', 'q']);
    there.plane.servers.get('p')?.set('RDS', 'r', undefined);
    expect(drilled(there)).toMatchObject([
      {
        ok: false,
        actual: expect.stringMatching(/^not ready on the primary before the drill, after 5\.0 s: waiting for r/),
      },
    ]);
  });

  it('drops a fallback server without an effect on clients', () => {
    const evaluations = drilled(blockedWorld(['p', 'q']), { drop: 'q' });
    expect(evaluations.map(({ ok, actual }) => [ok, actual.replace(/\d+ ms/, 'x')])).toEqual([
      [true, 'ready for x without it'],
      [true, 'ready on p after x'],
      [true, 'back after x'],
    ]);
  });

  it('fails if a client loses its configuration', () => {
    const there = blockedWorld(['p', 'q']);
    let clients = 0;
    const startClient = () => {
      const client = there.startClient();
      const isFirst = ++clients === 1;
      return {
        snapshot: () => {
          const scope = client.snapshot();
          const [channel] = scope?.channels ?? [];
          const lost = { kind: 'error' as const, message: 'it is gone', statusTexts: 'c-core' as const };
          if (scope === undefined || channel === undefined || !isFirst || clients === 1) return scope;
          return { ...scope, channels: [{ ...channel, state: lost }] };
        },
      };
    };
    const [stays] = drilled({ ...there, startClient });
    expect(stays).toMatchObject({ ok: false, actual: expect.stringMatching(/^not ready after \d+ ms: it is gone$/) });
  });
});

import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

const { LDS, CDS, EDS } = RESOURCE_TYPES;

const RESOURCES = `
resources:
  a: { "@type": CDS, name: a }
  b: { "@type": CDS, name: b }
  l: { "@type": LDS, name: l }
`;

function simulate(rest: string): Simulation {
  return new Simulation(scenarioFrom(RESOURCES + rest));
}

describe('ADS, state of the world', () => {
  it('asks, and acknowledges each response with its version and nonce (R1.12)', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, version: "3", resources: [a] }] } }');
    run.watch(CDS, 'a');
    expect(run.lines()).toEqual([
      '0 stream 1 to memory:p opened',
      '0 → CDS [a]',
      '0 ← CDS version 3 nonce 1.1: a',
      '0 → CDS [a]  version 3 nonce 1.1',
    ]);
  });

  it('has one write under way, and one request for all names that gathered meanwhile (R1.4, R1.8)', () => {
    const run = simulate('servers: { p: { state: refusing } }\nsteps: [{ wait: 5s }, { state: listening }]');
    for (const name of ['b', 'a', 'c']) run.watch(CDS, name);
    run.watch(EDS, 'e');
    run.clock.advanceTo(10_000);
    expect(run.lines(['request'])).toEqual(['0 → CDS [b]', '5160 → CDS [a, b, c]', '5160 → EDS [e]']);
  });

  it('lists names in the order of their UTF-8 bytes', () => {
    const run = simulate('servers: { p: { state: refusing } }\nsteps: [{ wait: 1s }, { state: listening }]');
    for (const name of ['z', '\uffff', '\u{1f600}', 'A']) run.watch(CDS, name);
    run.clock.advanceTo(10_000);
    expect(run.events.findLast((e) => e.kind === 'request')).toMatchObject({
      names: ['A', 'z', '\uffff', '\u{1f600}'],
    });
  });

  it('keeps the version and drops the nonce on a new stream (R3.12)', () => {
    const run = simulate(`
servers: { p: { serves: [{ type: CDS, version: "3", resources: [a] }] } }
steps: [{ expect: { request: CDS, is: ack } }, { close: UNAVAILABLE }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(3000);
    expect(run.lines(['request'])).toEqual([
      '0 → CDS [a]',
      '0 → CDS [a]  version 3 nonce 1.1',
      '1094 → CDS [a]  version 3',
      '1094 → CDS [a]  version 3 nonce 2.1',
    ]);
  });

  it('cancels the stream when nothing is watched any more (R1.3)', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, resources: [a] }] } }');
    run.watch(CDS, 'a');
    run.unwatch(CDS, 'a');
    expect(run.lines(['stream']).at(-1)).toBe('0 stream 1 to memory:p cancelled: nothing is watched any more');
    expect(run.planeEvents.at(-1)).toMatchObject({ kind: 'stream', change: 'ended' });
  });

  it('asks for an empty list when the last name of a type goes and others stay (R1.19)', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, resources: [a] }, { type: LDS, resources: [l] }] } }');
    run.watch(CDS, 'a');
    run.watch(LDS, 'l');
    run.unwatch(CDS, 'a');
    expect(run.lines(['request']).at(-1)).toBe('0 → CDS []  version 1 nonce 1.1');
  });

  it('changes only local state while a retry is due (R1.7)', () => {
    const run = simulate('servers: { p: {} }\nsteps: [{ reject: UNAVAILABLE }, { wait: 100ms }, { accept: true }]');
    run.watch(CDS, 'a');
    run.watch(CDS, 'b');
    run.unwatch(CDS, 'a');
    expect(run.lines(['request'])).toEqual(['0 → CDS [a]']);
    run.clock.advanceTo(2000);
    expect(run.lines(['request']).at(-1)).toBe('1094 → CDS [b]');
  });

  it('passes over what it cannot read or never asked for, and reads on (D1)', () => {
    const run = simulate(`
servers: { p: {} }
steps:
  - expect: { request: CDS }
  - sendBytes: "/w=="
  - send: { type: LDS, resources: [l] }
  - send: { type: CDS, version: "9", resources: [a] }
`);
    run.watch(CDS, 'a');
    expect(run.lines(['response', 'request'])).toEqual([
      '0 → CDS [a]',
      '0 ←  passed over: not a DiscoveryResponse: message ends inside a value at byte 1',
      '0 ← type.googleapis.com/envoy.config.listener.v3.Listener passed over: of a type that was never asked for',
      '0 ← CDS version 9 nonce 1.2: a',
      '0 → CDS [a]  version 9 nonce 1.2',
    ]);
  });

  it('names wrapped resources and those that the server reports errors for', () => {
    const run = simulate(`
servers: { p: {} }
steps:
  - expect: { request: CDS }
  - send: { type: CDS, resources: [{ wrap: a }, { wrap: b, name: other }], errors: [{ name: gone, code: NOT_FOUND }] }
`);
    run.watch(CDS, 'a');
    expect(run.lines(['response'])).toEqual(['0 ← CDS version 1 nonce 1.1: a, other, gone! (NOT_FOUND)']);
  });
});

describe('retries', () => {
  it('wait 1 s, then 1.6 times longer each time, varied by 20 % (R3.7)', () => {
    const run = simulate('servers: { p: {} }\nsteps: [{ reject: UNAVAILABLE }]');
    run.watch(CDS, 'a');
    run.clock.advanceTo(600_000);
    const waits = run.events.filter((e) => e.kind === 'stream').flatMap((e) => e.retryIn ?? []);
    const ideal = waits.map((_, i) => Math.min(1000 * 1.6 ** i, 120_000));
    expect(waits.length).toBeGreaterThan(10);
    waits.forEach((wait, i) => {
      expect(wait / (ideal[i] as number)).toBeGreaterThanOrEqual(0.8);
      expect(wait / (ideal[i] as number)).toBeLessThanOrEqual(1.2);
    });
    expect(new Set(waits.map((wait, i) => (wait / (ideal[i] as number)).toFixed(3))).size).toBeGreaterThan(5);
  });

  it('start over after a stream on which a response was decoded (R3.8)', () => {
    const run = simulate(`
servers: { p: { serves: [{ type: CDS, resources: [a] }] } }
steps:
  - reject: UNAVAILABLE
  - wait: 10s
  - accept: true
  - expect: { request: CDS, is: ack, within: 60s }
  - close: UNAVAILABLE
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(60_000);
    const waits = run.events.filter((e) => e.kind === 'stream').flatMap((e) => e.retryIn ?? []);
    expect(waits.at(-2)).toBeGreaterThan(2000);
    expect(waits.at(-1)).toBeLessThanOrEqual(1200);
  });

  it('are the same for the same seed, and others for another', () => {
    const waits = (seed: number): number[] => {
      const run = new Simulation(
        scenarioFrom(`${RESOURCES}\nservers: { p: {} }\nsteps: [{ reject: UNAVAILABLE }]`),
        seed,
      );
      run.watch(CDS, 'a');
      run.clock.advanceTo(20_000);
      return run.events.filter((e) => e.kind === 'stream').flatMap((e) => e.retryIn ?? []);
    };
    expect(waits(7)).toEqual(waits(7));
    expect(waits(7)).not.toEqual(waits(8));
  });
});

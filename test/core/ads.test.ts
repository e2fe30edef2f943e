import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

const { LDS, CDS, EDS } = RESOURCE_TYPES;

const RESOURCES = `
resources:
  a: { "@type": CDS, name: a, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  b: { "@type": CDS, name: b, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  l: { "@type": LDS, name: l }
`;

function simulate(rest: string): Simulation {
  return new Simulation(scenarioFrom(RESOURCES + rest));
}

describe('an ADS client', () => {
  it('acknowledges each response with its version and nonce (R1.12)', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, version: "3", resources: [a] }] } }');
    run.watch(CDS, 'a');
    expect(run.lines()).toEqual([
      '0 stream 1 to memory:p opened',
      '0 → CDS [a]',
      '0 ← CDS version 3 nonce 1.1: a',
      '0 → CDS [a]  version 3 nonce 1.1',
    ]);
  });

  it('writes one request at a time, and combines subscriptions made meanwhile (R1.4, R1.8)', () => {
    const run = simulate('servers: { p: { state: refusing } }\nsteps: [{ wait: 5s }, { state: listening }]');
    for (const name of ['b', 'a', 'c']) run.watch(CDS, name);
    run.watch(EDS, 'e');
    run.clock.advanceTo(10_000);
    expect(run.lines(['request'])).toEqual(['0 → CDS [b]', '5160 → CDS [a, b, c]', '5160 → EDS [e]']);
  });

  it('sorts names by their UTF-8 bytes', () => {
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

  it('cancels the stream after the last unsubscription (R1.3)', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, resources: [a] }] } }');
    run.watch(CDS, 'a');
    run.unwatch(CDS, 'a');
    expect(run.lines(['stream']).at(-1)).toBe('0 stream 1 to memory:p cancelled: no subscriptions left');
    expect(run.planeEvents.at(-1)).toMatchObject({ kind: 'stream', change: 'ended' });
  });

  it('requests an empty list after the last unsubscription of one of several types (R1.19)', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, resources: [a] }, { type: LDS, resources: [l] }] } }');
    run.watch(CDS, 'a');
    run.watch(LDS, 'l');
    run.unwatch(CDS, 'a');
    expect(run.lines(['request']).at(-1)).toBe('0 → CDS []  version 1 nonce 1.1');
  });

  it('sends no request for a changed subscription during backoff (R1.7)', () => {
    const run = simulate('servers: { p: {} }\nsteps: [{ reject: UNAVAILABLE }, { wait: 100ms }, { accept: true }]');
    run.watch(CDS, 'a');
    run.watch(CDS, 'b');
    run.unwatch(CDS, 'a');
    expect(run.lines(['request'])).toEqual(['0 → CDS [a]']);
    run.clock.advanceTo(2000);
    expect(run.lines(['request']).at(-1)).toBe('1094 → CDS [b]');
  });

  it('ignores a message that cannot be decoded or has an unrequested type, and reads the next (D1)', () => {
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
      '0 ←  ignored: not a DiscoveryResponse: message ends inside a value at byte 1 · C-core would stop reading this stream',
      '0 ← type.googleapis.com/envoy.config.listener.v3.Listener ignored: of a type that was never requested · C-core would stop reading this stream',
      '0 ← CDS version 9 nonce 1.2: a',
      '0 → CDS [a]  version 9 nonce 1.2',
    ]);
  });

  it('logs the names of wrapped resources and of resources with reported errors', () => {
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

describe('the backoff', () => {
  it('is 1 s at first and grows by 1.6, with 20 % jitter (R3.7)', () => {
    const run = simulate('servers: { p: {} }\nsteps: [{ reject: UNAVAILABLE }]');
    run.watch(CDS, 'a');
    run.clock.advanceTo(600_000);
    const backoffs = run.events.filter((e) => e.kind === 'stream').flatMap((e) => e.retryIn ?? []);
    const ideal = backoffs.map((_, i) => Math.min(1000 * 1.6 ** i, 120_000));
    expect(backoffs.length).toBeGreaterThan(10);
    backoffs.forEach((backoff, i) => {
      expect(backoff / (ideal[i] as number)).toBeGreaterThanOrEqual(0.8);
      expect(backoff / (ideal[i] as number)).toBeLessThanOrEqual(1.2);
    });
    expect(new Set(backoffs.map((backoff, i) => (backoff / (ideal[i] as number)).toFixed(3))).size).toBeGreaterThan(5);
  });

  it('is reset after a stream with a response that could be decoded (R3.8)', () => {
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
    const backoffs = run.events.filter((e) => e.kind === 'stream').flatMap((e) => e.retryIn ?? []);
    expect(backoffs.at(-2)).toBeGreaterThan(2000);
    expect(backoffs.at(-1)).toBeLessThanOrEqual(1200);
  });

  it('depends only on the seed', () => {
    const backoffs = (seed: number): number[] => {
      const run = new Simulation(
        scenarioFrom(`${RESOURCES}\nservers: { p: {} }\nsteps: [{ reject: UNAVAILABLE }]`),
        seed,
      );
      run.watch(CDS, 'a');
      run.clock.advanceTo(20_000);
      return run.events.filter((e) => e.kind === 'stream').flatMap((e) => e.retryIn ?? []);
    };
    expect(backoffs(7)).toEqual(backoffs(7));
    expect(backoffs(7)).not.toEqual(backoffs(8));
  });
});

describe('a watched resource', () => {
  const BROKEN = '  broken: { "@type": CDS, name: a }\n';
  const shown: Event['kind'][] = ['request', 'resource', 'error'];

  it('keeps the cached version when an update is rejected (A88)', () => {
    const run = new Simulation(
      scenarioFrom(`${RESOURCES}${BROKEN}
servers: { p: { serves: [{ type: CDS, version: "1", resources: [a] }] } }
steps: [{ expect: { request: CDS, is: ack } }, { set: { type: CDS, version: "2", resources: [broken] } }]
`),
    );
    run.watch(CDS, 'a');
    const nack =
      'xDS response validation errors: [resource index 0: a: INVALID_ARGUMENT: errors validating Cluster resource: [field:type error:unknown discovery type]]';
    expect(run.events.findLast((e) => e.kind === 'request')).toMatchObject({
      version: '1',
      nonce: '1.2',
      error: { code: 3, message: nack },
    });
    expect(run.lines(['resource', 'error'])).toEqual([
      '0 CDS a: ACKED version 1',
      '0 CDS a: NACKED · nack: INVALID_ARGUMENT invalid resource: errors validating Cluster resource: [field:type error:unknown discovery type] · kept the cached version',
    ]);
    expect(run.events.findLast((e) => e.kind === 'error')).toMatchObject({
      final: 'OnAmbientError',
      draft: 'OnClientDataError',
      effect: 'kept',
    });
  });

  it('does not exist if it does not arrive within 15 s (A57)', () => {
    const run = simulate('servers: { p: {} }');
    run.watch(EDS, 'e');
    run.clock.advanceTo(14_999);
    expect(run.lines(shown)).toEqual(['0 → EDS [e]']);
    run.clock.advanceTo(15_000);
    expect(run.lines(shown).at(-1)).toBe(
      '15000 EDS e: DOES_NOT_EXIST · timer: NOT_FOUND does not exist · nothing was cached',
    );
  });

  it('has the status TIMEOUT after 30 s with resource_timer_is_transient_error (D6)', () => {
    const run = new Simulation(scenarioFrom('servers: { p: {} }'), 1, ['resource_timer_is_transient_error']);
    run.watch(EDS, 'e');
    run.clock.advanceTo(29_999);
    expect(run.lines(['error'])).toEqual([]);
    run.clock.advanceTo(30_000);
    expect(run.lines(['error'])).toEqual([
      '30000 EDS e: TIMEOUT · timer: UNAVAILABLE timeout obtaining resource from xDS server memory:p · nothing was cached',
    ]);
  });

  it('has a resource timer that starts only when its request was sent on a connection (R2.1, R2.5)', () => {
    const run = simulate('servers: { p: { state: refusing } }\nsteps: [{ wait: 40s }, { state: listening }]');
    run.watch(EDS, 'e');
    run.clock.advanceTo(40_000);
    const timeouts = (): number[] =>
      run.events.flatMap((e) => (e.kind === 'error' && e.cause === 'timer' ? [e.at] : []));
    expect(timeouts()).toEqual([]);
    run.clock.advanceTo(120_000);
    const [connected] = run.events.flatMap((e) => (e.kind === 'channel' && e.state === 'ready' ? [e.at] : []));
    expect(timeouts()).toEqual([(connected as number) + 15_000]);
  });

  it('is dropped when a response omits it only with fail_on_data_errors (R1.30)', () => {
    const errorsWith = (features: string[]): string[] => {
      const scenario = `${RESOURCES}
servers: { p: { serves: [{ type: CDS, version: "1", resources: [a] }] } }
steps: [{ expect: { request: CDS, is: ack } }, { set: { type: CDS, version: "2", resources: [] } }]
`;
      const run = new Simulation(scenarioFrom(scenario), 1, features);
      run.watch(CDS, 'a');
      return run.events.flatMap((e) => (e.kind === 'error' ? [`${e.cause} ${e.cache} ${e.effect}`] : []));
    };
    expect(errorsWith([])).toEqual(['deletion DOES_NOT_EXIST kept']);
    expect(errorsWith(['fail_on_data_errors'])).toEqual(['deletion DOES_NOT_EXIST dropped']);
  });

  it('stays cached when the connection fails, and all watchers are notified (R3.2, R3.3)', () => {
    const run = simulate(`
servers: { p: { serves: [{ type: CDS, resources: [a] }] } }
steps: [{ expect: { request: CDS, is: ack } }, { state: refusing }]
`);
    run.watch(CDS, 'a', 'b');
    run.clock.advanceTo(3000);
    const errors = run.events.filter((e) => e.kind === 'error' && e.cause === 'channel');
    expect(errors.slice(0, 2)).toMatchObject([
      { name: 'a', cache: 'ACKED', effect: 'kept', draft: 'OnTransientError' },
      { name: 'b', effect: 'none-cached', final: 'OnResourceChanged' },
    ]);
    expect(errors[0]).toMatchObject({
      status: {
        code: 14,
        message: expect.stringMatching(/^xDS channel for server memory:p: channel in TRANSIENT_FAILURE: /),
      },
    });
  });

  it('has an error when a stream ends without a response, but not after a response (A57)', () => {
    const run = simulate(`
servers: { p: {} }
steps: [{ expect: { request: CDS } }, { close: PERMISSION_DENIED }, { set: { type: CDS, version: "1", resources: [a] } }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(5000);
    expect(run.events.flatMap((e) => (e.kind === 'error' ? [e.status.message] : []))).toEqual([
      expect.stringMatching(
        /^xDS channel for server memory:p: xDS call failed with no responses received; status: PERMISSION_DENIED/,
      ),
    ]);
    expect(run.lines(['resource']).at(-1)).toMatch(/CDS a: ACKED/);
  });
});

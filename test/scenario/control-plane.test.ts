import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { controlPlaneLine } from '../../src/view/control-plane-line.js';
import { everythingServed, Simulation, scenarioFile, scenarioFrom } from '../support/simulate.js';

const { LDS, RDS, CDS, EDS } = RESOURCE_TYPES;

const RESOURCES = `
resources:
  a: { "@type": CDS, name: a, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  a2: { "@type": CDS, name: a, alt_stat_name: changed, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  b: { "@type": CDS, name: b, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: e }
  f: { "@type": EDS, cluster_name: f }
  r: { "@type": RDS, name: r }
`;

function simulate(rest: string): Simulation {
  return new Simulation(scenarioFrom(RESOURCES + rest));
}

/** Returns the responses of the plane as `time text`. */
function sent(run: Simulation): string[] {
  return run.planeEvents
    .filter((e) => e.kind === 'response')
    .map((e) => `${Math.round(e.at)} ${controlPlaneLine(e).text}`);
}

describe('served types', () => {
  it('are sent to clients that request them by name, without missing names', () => {
    const run = simulate('servers: { p: { serves: [{ type: EDS, version: "4", resources: [e, f] }] } }');
    run.watch(EDS, 'f', 'missing');
    run.watch(RDS, 'r');
    expect(sent(run)).toEqual(['0 ← EDS version 4 nonce 1.1: f  (stream 1)']);
  });

  it('produce no response for missing names, except an empty response for listeners and clusters', () => {
    const run = simulate('servers: { p: { serves: [{ type: EDS, resources: [e] }, { type: CDS, resources: [a] }] } }');
    run.watch(EDS, 'missing');
    run.watch(CDS, 'missing');
    expect(sent(run)).toEqual(['0 ← CDS version 1 nonce 1.1: no resources  (stream 1)']);
  });

  it('are pushed when they change, to clients that the change affects', () => {
    const run = simulate(`
servers: { p: { serves: [{ type: CDS, version: "1", resources: [a, b] }, { type: EDS, resources: [e] }] } }
steps:
  - { expect: { request: CDS, is: ack } }
  - { set: { type: CDS, version: "2", resources: [a] } }
  - { set: { type: CDS, version: "3", resources: [a2, b] } }
  - { set: { type: CDS, version: "4", resources: [] } }
  - { set: { type: EDS, version: "5", resources: [e, f] } }
`);
    run.watch(CDS, 'a');
    expect(sent(run)).toEqual([
      '0 ← CDS version 1 nonce 1.1: a  (stream 1)',
      '0 ← CDS version 3 nonce 1.2: a  (stream 1)',
      '0 ← CDS version 4 nonce 1.3: no resources  (stream 1)',
    ]);
  });

  it('are sent again when the client requests more names, but not after an ACK', () => {
    const run = simulate('servers: { p: { serves: [{ type: CDS, resources: [a, b] }] } }');
    run.watch(CDS, 'a');
    run.watch(CDS, 'b');
    run.unwatch(CDS, 'a');
    expect(sent(run)).toEqual([
      '0 ← CDS version 1 nonce 1.1: a  (stream 1)',
      '0 ← CDS version 1 nonce 1.2: a, b  (stream 1)',
    ]);
  });

  it('include resource errors for the requested names', () => {
    const run = simulate(
      'servers: { p: { serves: [{ type: EDS, resources: [e], errors: [{ name: f, code: PERMISSION_DENIED }, { name: g, code: NOT_FOUND }] }] } }',
    );
    run.watch(EDS, 'f');
    expect(run.lines(['response'])).toEqual(['0 ← EDS version 1 nonce 1.1: f! (PERMISSION_DENIED)']);
  });
});

describe('triggers', () => {
  it('replace the response of the served type, with a delay and a limited number of times', () => {
    const run = simulate(`
servers:
  p:
    serves: [{ type: CDS, version: "held", resources: [a] }]
    on:
      - { request: CDS, times: 1, do: [{ wait: 2s }, { send: { type: CDS, version: late, resources: [a] } }] }
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(1999);
    expect(sent(run)).toEqual([]);
    run.clock.advanceTo(2000);
    run.watch(CDS, 'b');
    expect(sent(run)).toEqual([
      '2000 ← CDS version late nonce 1.1: a  (stream 1)',
      '2000 ← CDS version held nonce 1.2: a  (stream 1)',
    ]);
  });

  it('continue after their stream has ended, except for actions that need the stream', () => {
    const run = simulate(`
servers:
  p:
    on: [{ request: CDS, times: 1, do: [{ state: refusing }, { wait: 1s }, { send: { type: CDS, resources: [a] } }, { state: listening }] }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(1000);
    expect(run.planeEvents.filter((e) => e.kind === 'state').map((e) => `${e.at} ${e.state}`)).toEqual([
      '0 listening',
      '0 refusing',
      '1000 listening',
    ]);
    expect(sent(run)).toEqual([]);
  });

  it('do not affect pushes of resource errors, which are sent once and again after a change', () => {
    const errors = '{ type: EDS, resources: [e], errors: [{ name: f, code: NOT_FOUND }] }';
    const run = simulate(`
servers: { p: { serves: [${errors}] } }
steps: [{ expect: { request: EDS, is: ack } }, { set: ${errors} }, { set: { type: EDS, version: "2", resources: [e] } }]
`);
    run.watch(EDS, 'f');
    expect(sent(run).map((line) => line.slice(2))).toEqual([
      '← EDS version 1 nonce 1.1: f! (NOT_FOUND)  (stream 1)',
      '← EDS version 2 nonce 1.2: no resources  (stream 1)',
    ]);
  });

  it('can suppress the response, end the stream, or match specific names', () => {
    const run = simulate(`
servers:
  p:
    on:
      - { request: LDS, do: [] }
      - { request: CDS, names: [b, a], do: [{ close: { code: ABORTED, message: enough } }] }
`);
    run.watch(LDS, 'l');
    run.watch(CDS, 'a');
    expect(run.lines(['stream'])).toEqual(['0 stream 1 to memory:p opened']);
    run.watch(CDS, 'b');
    expect(run.lines(['stream']).at(-1)).toBe('0 stream 1 to memory:p ended: ABORTED enough · next try in 1.1 s');
  });
});

describe('the script', () => {
  it('reports unmet expectations with the last request of that type', () => {
    const run = simulate(`
steps:
  - { expect: { request: CDS, names: [a, b], within: 1s } }
  - { expect: { request: LDS, is: nack, error: bad, within: 1s } }
  - { expect: { request: CDS, absent: true, within: 1s } }
  - { expect: { stream: opened, absent: true, within: 1s } }
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(10_000);
    const lines = run.planeEvents
      .filter((e) => ['met', 'unmet', 'script-done'].includes(e.kind))
      .map((e) => `${e.at} ${controlPlaneLine(e).text}`);
    expect(lines).toEqual([
      '1000 line 11: not received within 1.0 s: a request of CDS, names [a, b]; the last request of that type has names [a], version "", nonce ""',
      '2000 line 12: not received within 1.0 s: a NACK of LDS, an error with "bad"; no request of that type was received',
      '2000 line 13: received unexpectedly: a request of CDS',
      '2000 line 14: received unexpectedly: a new stream',
      '2000 script done: 0 met, 4 not met',
    ]);
  });

  it('selects a stream by its number, and skips the action if the stream has ended', () => {
    const run = simulate(`
servers: { p: {} }
steps:
  - { expect: { request: CDS } }
  - { close: UNAVAILABLE }
  - { expect: { stream: opened } }
  - { expect: { request: CDS } }
  - { stream: 1, send: { type: CDS, version: lost, resources: [a] } }
  - { stream: 2, send: { type: CDS, version: found, resources: [a] } }
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(5000);
    expect(sent(run)).toEqual(['1094 ← CDS version found nonce 2.1: a  (stream 2)']);
  });

  it('does not read requests while reads are held', () => {
    const run = simulate(
      'servers: { p: { serves: [{ type: CDS, resources: [a] }] } }\nsteps: [{ reads: hold }, { wait: 3s }, { reads: release }]',
    );
    run.watch(CDS, 'a');
    run.watch(CDS, 'b');
    run.clock.advanceTo(2999);
    expect(run.planeEvents.filter((e) => e.kind === 'request')).toEqual([]);
    run.clock.advanceTo(3000);
    expect(run.planeEvents.filter((e) => e.kind === 'request').map((e) => `${e.at} ${e.names}`)).toEqual([
      '3000 a',
      '3000 a,b',
      '3000 a,b',
      '3000 a,b',
    ]);
  });
});

describe('events of the control plane', () => {
  const linesOf = (run: Simulation): string[] => run.planeEvents.map((e) => controlPlaneLine(e).text);

  it('report that a state change broke the streams, not that the client ended them', () => {
    const run = simulate(
      'servers: { p: {} }\nsteps: [{ expect: { request: CDS } }, { state: refusing }, { state: refusing }]',
    );
    run.watch(CDS, 'a');
    expect(linesOf(run).slice(-4)).toEqual([
      'line 10: expectation met',
      'refuses connections',
      'stream 1 broken: its connection closed',
      'script done: 1 met, 0 not met',
    ]);
  });

  it('contain the whole message of a NACK, whose end has the reason', () => {
    const message = `errors validating server Listener: [field:${'a_long_path.'.repeat(40)} error:unsupported filter type]`;
    const event = { kind: 'request', at: 0, server: 'p', stream: 1, nodeId: 'n', typeUrl: LDS, names: ['l'] } as const;
    const error = { code: 3, message };
    const { text } = controlPlaneLine({ ...event, version: '1', nonce: '1.1', error });
    expect(text).toBe(`→ LDS [l]  version 1  nonce 1.1  NACK: ${message}  (stream 1, node n)`);
  });

  it('name the resources with errors', () => {
    const run = simulate(
      'servers: { p: { serves: [{ type: EDS, resources: [e], errors: [{ name: f, code: NOT_FOUND }] }] } }',
    );
    run.watch(EDS, 'e', 'f');
    expect(linesOf(run)).toContain('← EDS version 1 nonce 1.2: e, f! (NOT_FOUND)  (stream 1)');
  });

  it('do not match an expected new stream with the first stream', () => {
    const run = simulate(
      'servers: { p: {} }\nsteps: [{ expect: { request: CDS } }, { close: OK }, { expect: { stream: opened, within: 5s } }]',
    );
    run.watch(CDS, 'a');
    run.clock.advanceTo(500);
    expect(linesOf(run).at(-1)).toBe('stream 1 closed by this server: OK');
    run.clock.advanceTo(3000);
    expect(linesOf(run)).toContain('script done: 2 met, 0 not met');
  });
});

describe('in-memory connections', () => {
  const cases = [
    {
      state: 'refusing',
      want: ['0 connecting', '0 transient-failure memory:p: connection refused', '1000 connecting', '1000 ready'],
    },
    {
      state: 'resetting',
      want: ['0 connecting', '0 transient-failure memory:p: connection reset by peer', '1000 connecting', '1000 ready'],
    },
    {
      state: 'silent',
      want: [
        '0 connecting',
        '20000 transient-failure memory:p: no answer from the peer',
        '21000 connecting',
        '21000 ready',
      ],
    },
  ];
  for (const { state, want } of cases) {
    it(`are retried if the server is ${state}`, () => {
      const run = simulate(`servers: { p: { state: ${state} } }\nsteps: [{ wait: 500ms }, { state: listening }]`);
      run.watch(CDS, 'a');
      run.clock.advanceTo(30_000);
      expect(
        run.events.flatMap((e) => (e.kind === 'channel' ? [`${e.at} ${e.state} ${e.reason}`.trim()] : [])),
      ).toEqual(want);
    });
  }

  it('break when the server stops listening, and the stream ends', () => {
    const run = simulate(
      'servers: { p: { serves: [{ type: CDS, resources: [a] }] } }\nsteps: [{ expect: { request: CDS, is: ack } }, { state: refusing }]',
    );
    run.watch(CDS, 'a');
    expect(run.lines(['stream']).at(-1)).toBe(
      '0 stream 1 to memory:p ended: UNAVAILABLE Connection dropped · next try in 1.1 s',
    );
  });
});

describe('scenario fixture', () => {
  const folder = join(import.meta.dirname, '../../fixtures/scenarios');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  for (const file of files) {
    it(`${file} meets all its expectations in memory`, () => {
      const scenario = scenarioFile(join(folder, file));
      const run = new Simulation(scenario);
      for (const { typeUrl, name } of everythingServed(scenario)) run.watch(typeUrl, name);
      run.clock.advanceTo(600_000);
      expect(run.planeEvents.filter((e) => e.kind === 'unmet').map((e) => controlPlaneLine(e).text)).toEqual([]);
      // A scenario without steps has no script-done event.
      const isScripted = scenario.steps.length > 0;
      expect(run.planeEvents.some((e) => e.kind === 'script-done')).toBe(isScripted);
    });
  }
});

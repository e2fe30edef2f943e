import { describe, expect, it } from 'vitest';
import { VerdictFacts } from '../../../src/inspect/verdict/facts.js';
import { verdictsOf } from '../../../src/inspect/verdict/verdict.js';
import { readConditions } from '../../../src/inspect/wait/read-condition.js';
import { Waiting } from '../../../src/inspect/wait/waiting.js';
import { HALF_BROKEN, listener } from '../../support/example-scenarios.js';
import { Simulation, scenarioFrom } from '../../support/simulate.js';

const endpoint = (address: string, health = 'HEALTHY'): string =>
  `{ health_status: ${health}, endpoint: { address: { socket_address: { address: ${address}, port_value: 80 } } } }`;
const assignment = (...endpoints: string[]): string =>
  `{ "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [${endpoints.join(', ')}] }] }`;

/** One cluster whose endpoints arrive at intervals of a second. */
const GROWING = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: /a }, route: { cluster: blue } }] }] }')}
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e0: { "@type": EDS, cluster_name: blue }
  e1: ${assignment(endpoint('10.0.0.1'), endpoint('10.0.0.2', 'DRAINING'), endpoint('10.0.0.3', 'UNHEALTHY'))}
  e2: ${assignment(endpoint('10.0.0.1'), endpoint('10.0.0.2', 'UNKNOWN'))}
servers:
  p:
    serves:
      - { type: LDS, version: "1", resources: [l] }
      - { type: CDS, version: "1", resources: [b] }
      - { type: EDS, version: "1", resources: [e0] }
steps:
  - wait: 1s
  - set: { type: EDS, version: "2", resources: [e1] }
  - wait: 1s
  - set: { type: EDS, version: "3", resources: [e2] }
`;

class Wait {
  readonly run: Simulation;
  readonly waiting: Waiting;
  readonly #facts = new VerdictFacts();
  #seen = 0;

  constructor(scenario: string, conditions: string[], targets = ['greeter']) {
    const parsed = scenarioFrom(scenario);
    const read = readConditions(conditions);
    if (!read.ok) throw new Error(read.problems.join());
    this.run = new Simulation(parsed);
    this.waiting = new Waiting(read.conditions, parsed.nodeId, 0);
    for (const name of targets) {
      const target = `xds:///${name}`;
      this.run.session.dispatch({ kind: 'follow', scope: target, target, listener: name, authority: name });
    }
  }

  /** The conditions that do not hold at that time, with the actual state. */
  at(ms: number): Record<string, string> {
    this.run.clock.advanceTo(ms);
    return this.atOnce(ms);
  }

  /** The same, before the events of that time. */
  atOnce(ms = 0): Record<string, string> {
    for (const event of this.run.events.slice(this.#seen)) {
      this.waiting.observe(event);
      this.#facts.observe(event);
    }
    this.#seen = this.run.events.length;
    const scopes = this.run.engine.snapshot();
    this.waiting.evaluate(scopes, verdictsOf(scopes, { facts: this.#facts, nodeId: 'n', now: ms }), ms);
    const missing = this.waiting.view().filter(({ ok }) => !ok);
    expect(missing.length === 0).toBe(this.waiting.isMet);
    expect(missing.map(({ condition }) => condition)).toEqual(this.waiting.missing);
    return Object.fromEntries(missing.map(({ condition, actual }) => [condition, actual]));
  }

  get hints(): string[] {
    return this.waiting.view().flatMap(({ hints }) => hints);
  }
}

const WEIGHTED =
  'weighted_clusters: { clusters: [{ name: blue, weight: 99 }, { name: red, weight: 1 }], total_weight: 100 }';
const REDIRECT = '{ match: { prefix: /b }, redirect: { path_redirect: /x } }';
const dropping = (percent: number): string =>
  GROWING.replace(
    'cluster_name: blue, endpoints',
    `cluster_name: blue, policy: { drop_overloads: [{ category: c, drop_percentage: { numerator: ${percent} } }] }, endpoints`,
  );

describe('ready', () => {
  it('holds when the verdict is ok: an empty load assignment is not enough', () => {
    const wait = new Wait(GROWING, ['ready']);
    expect(wait.atOnce()).toEqual({ ready: 'xds:///greeter: verdict waiting' });
    expect(wait.at(500)).toEqual({ ready: 'xds:///greeter: verdict fails' });
    expect(wait.hints).toEqual([expect.stringMatching(/^Start or register backends of blue/)]);
    expect(wait.at(1500)).toEqual({});
    expect(wait.waiting.view()).toMatchObject([{ ok: true, actual: 'verdict ok', since: '1970-01-01T00:00:01.500Z' }]);
  });

  it.each<[what: string, scenario: string, verdict: string | undefined]>([
    ['a route to a cluster for which the server reports an error', HALF_BROKEN, 'partly'],
    ['one of several weighted clusters without endpoints', HALF_BROKEN.replace('cluster: red', WEIGHTED), 'partly'],
    ['only a redirect', GROWING.replace('{ match: { prefix: /a }, route: { cluster: blue } }', REDIRECT), 'fails'],
    ['a redirect before a route that works', GROWING.replace('routes: [', `routes: [${REDIRECT}, `), 'partly'],
    ['a load assignment that drops 10 % of RPCs', dropping(10), 'partly'],
    ['a load assignment that drops all RPCs', dropping(100), 'fails'],
    ['a usable endpoint for every route', GROWING, undefined],
  ])('depends on the verdict: %s', (_, scenario, verdict) => {
    const wanted = verdict === undefined ? {} : { ready: `xds:///greeter: verdict ${verdict}` };
    expect(new Wait(scenario, ['ready']).at(1500)).toEqual(wanted);
  });

  it('holds for the configuration in use while a newer one is incomplete', () => {
    const wait = new Wait(
      `${GROWING.replace(
        '  e0:',
        `  l2: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: green } }] }] }')}\n  e0:`,
      )}  - wait: 1s\n  - set: { type: LDS, version: "2", resources: [l2] }\n`,
      ['ready', 'acked'],
    );
    expect(wait.at(2500)).toEqual({});
    expect(wait.at(3500)).toEqual({ acked: '3 of 4 ACKED · CDS green is REQUESTED' });
  });

  it('needs a server listener if the target is a server', () => {
    const wait = new Wait(GROWING, ['ready'], []);
    const server = { scope: '#server', target: '#server:0.0.0.0:80', listener: 'greeter', authority: undefined };
    wait.run.session.dispatch({ kind: 'follow', ...server });
    // The listener is for clients.
    expect(wait.at(500)).toEqual({ ready: '#server:0.0.0.0:80: verdict fails' });
  });

  it('must hold for every target', () => {
    const wait = new Wait(GROWING, ['ready'], ['greeter', 'other']);
    expect(wait.at(2500)).toEqual({ ready: 'xds:///other: verdict waiting' });
    expect(wait.at(20_000)).toEqual({ ready: 'xds:///other: verdict fails' });
    expect(wait.hints).toEqual([expect.stringMatching(/listener/)]);
  });
});

describe('acked', () => {
  it('holds when every watched resource is ACKED', () => {
    const wait = new Wait(GROWING, ['acked']);
    expect(wait.atOnce()).toEqual({ acked: '0 of 1 ACKED · LDS greeter is REQUESTED' });
    expect(wait.hints).toEqual(['The control plane has not sent LDS "greeter" yet.']);
    expect(wait.at(500)).toEqual({});
    const broken = new Wait(HALF_BROKEN, ['acked']);
    expect(broken.at(500)).toEqual({
      acked: '3 of 4 ACKED · CDS red is RECEIVED_ERROR: PERMISSION_DENIED: not for you',
    });
  });
});

describe('stable', () => {
  it('holds when nothing has changed for the given time', () => {
    const wait = new Wait(GROWING, ['stable=1500ms', 'stable=500ms']);
    expect(wait.atOnce()).toMatchObject({ 'stable=500ms': 'LDS greeter is still REQUESTED' });
    expect(Object.keys(wait.at(900))).toEqual(['stable=1500ms']);
    expect(Object.keys(wait.at(2100))).toEqual(['stable=1500ms', 'stable=500ms']);
    expect(wait.at(3900)).toEqual({});
  });

  it('does not hold while a server has not responded', () => {
    const wait = new Wait('servers: { p: {} }', ['stable=1s']);
    expect(wait.at(14_000)).toEqual({ 'stable=1s': 'LDS greeter is still REQUESTED' });
    // The resource timer has expired, so the resource is no longer REQUESTED.
    expect(wait.at(17_000)).toEqual({});
  });
});

describe('a condition on a resource', () => {
  it.each<[condition: string, at1500: string | undefined, at2500: string | undefined]>([
    ['CDS/blue=ACKED', undefined, undefined],
    ['CDS/blue!=ACKED', 'ACKED', 'ACKED'],
    ['CDS/blue=NACKED', 'ACKED', 'ACKED'],
    ['EDS/blue.version=2', undefined, 'version 3'],
    ['EDS/blue.version!=2', 'version 2', undefined],
    // A draining endpoint gets no new RPCs; gRPC ignores an unhealthy one.
    ['EDS/blue.endpoints=1', undefined, '2 endpoints'],
    ['EDS/blue.endpoints>=2', '1 endpoint, 1 draining', undefined],
    ['EDS/blue.endpoints>1', '1 endpoint, 1 draining', undefined],
    ['EDS/blue.endpoints<2', undefined, '2 endpoints'],
    ['EDS/blue.endpoints<=1', undefined, '2 endpoints'],
    ['EDS/blue.endpoints!=1', '1 endpoint, 1 draining', undefined],
    ['CDS/bleu=ACKED', 'no target needs CDS bleu (did you mean "blue"?)', expect.anything()],
    ['CDS/bleu!=NACKED', 'no target needs CDS bleu (did you mean "blue"?)', expect.anything()],
  ])('is evaluated: %s', (condition, first, second) => {
    const wait = new Wait(GROWING, [condition]);
    expect(wait.atOnce()).toHaveProperty([condition]);
    expect(wait.at(1500)).toEqual(first === undefined ? {} : { [condition]: first });
    expect(wait.at(2500)).toEqual(second === undefined ? {} : { [condition]: second });
  });

  it('must hold in every scope that needs the resource, and in at least one', () => {
    const targets = ['greeter', 'other'];
    expect(new Wait(GROWING, ['CDS/blue=ACKED'], targets).at(2500)).toEqual({});
    expect(new Wait(GROWING, ['LDS/other=ACKED', 'LDS/greeter=ACKED'], targets).at(2500)).toEqual({
      'LDS/other=ACKED': 'REQUESTED',
    });
  });

  it('suggests a similar name that another target needs', () => {
    expect(new Wait(GROWING, ['CDS/bleu=ACKED'], ['other', 'greeter']).at(2500)).toEqual({
      'CDS/bleu=ACKED': 'no target needs CDS bleu (did you mean "blue"?)',
    });
  });

  it('must hold at the same time as the other conditions', () => {
    const wait = new Wait(GROWING, ['EDS/blue.endpoints=1', 'EDS/blue.version=3']);
    expect(Object.keys(wait.at(1500))).toEqual(['EDS/blue.version=3']);
    expect(Object.keys(wait.at(2500))).toEqual(['EDS/blue.endpoints=1']);
  });
});

describe('a server that cannot be reached', () => {
  it('is named in the advice and makes the condition lost', () => {
    const wait = new Wait('servers: { p: { state: refusing } }', [
      'ready',
      'acked',
      'stable=1s',
      'LDS/greeter=ACKED',
      'CDS/blue=ACKED',
    ]);
    expect(Object.keys(wait.at(5000))).toHaveLength(5);
    expect(wait.waiting.isLost).toBe(true);
    for (const { condition, hints } of wait.waiting.view()) {
      expect(hints, condition).toEqual([
        'Start the control plane at memory:p, or correct server_uri in the bootstrap.',
      ]);
    }
  });

  it('is not named if it responds', () => {
    const wait = new Wait(GROWING, ['CDS/x=ACKED']);
    wait.at(2500);
    expect(wait.waiting.isLost).toBe(false);
  });
});

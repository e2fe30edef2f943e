import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../../src/bootstrap/presets.js';
import type { Event } from '../../../src/core/event.js';
import { Fetch, type FetchOptions, InvalidNames } from '../../../src/engine/get/fetch.js';
import { Session } from '../../../src/engine/session.js';
import { API_TYPES } from '../../../src/proto/api-types.js';
import { readResourceSwitches } from '../../../src/resources/context.js';
import { ControlPlane } from '../../../src/scenario/control-plane.js';
import { MemoryNetwork, memoryUri } from '../../../src/scenario/memory-network.js';
import { VirtualClock } from '../../../src/scenario/virtual-clock.js';
import { eventLine } from '../../../src/view/event-line.js';
import { noDns, scenarioFrom } from '../../support/simulate.js';

const CDS = API_TYPES.CDS as string;
const EDS = API_TYPES.EDS as string;
const SDS = API_TYPES.SDS as string;

const RESOURCES = `
resources:
  blue: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  blue2: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: b } }
  red: { "@type": CDS, name: red, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  bad: { "@type": CDS, name: bad, type: STATIC }
  e1: { "@type": EDS, cluster_name: one }
  e2: { "@type": EDS, cluster_name: two }
  s1: { "@type": ${SDS}, name: cert }
`;

class Run {
  readonly clock = new VirtualClock(0);
  readonly events: Event[] = [];
  readonly fetch: Fetch;
  readonly session: Session;

  constructor(servers: string, options: Partial<FetchOptions>) {
    const scenario = scenarioFrom(`${RESOURCES}${servers}`);
    const network = new MemoryNetwork(scenario, new ControlPlane(scenario), this.clock, () => {});
    const targets = scenario.servers.map(({ name }) => target(name));
    this.fetch = new Fetch({
      typeUrl: CDS,
      names: [],
      servers: targets,
      authorities: new Map(),
      ignoresAuthorities: false,
      node: { id: 'me', userAgentName: 'test', userAgentVersion: '0' },
      context: {
        switches: readResourceSwitches({}, true),
        certificateProviders: new Set(),
        allowedGrpcServices: new Set(),
        interfaces: new Map(),
      },
      policies: PRESETS.spec.policies,
      nack: undefined,
      follows: false,
      timeoutMs: undefined,
      seed: 1,
      ...options,
    });
    this.session = new Session(this.fetch, {
      clock: this.clock,
      transport: network,
      dns: noDns,
      log: { append: (event) => this.events.push(event) },
    });
    this.session.dispatch({ kind: 'tick' });
    this.clock.settle();
  }

  wire(): string[] {
    return this.events.filter(({ kind }) => kind === 'request' || kind === 'response').map((e) => eventLine(e).text);
  }

  get names(): string[] {
    return this.fetch.resources.map(({ received }) => received.name);
  }
}

const target = (name: string, features: string[] = []): FetchOptions['servers'][number] => ({
  uri: memoryUri(name),
  creds: { type: 'insecure' },
  callCreds: [],
  features: new Set(features),
});

describe('a wildcard subscription of get', () => {
  const serves = 'servers: { p: { serves: [{ type: CDS, version: "7", resources: [blue, red] }] } }';

  it('is acknowledged, and done after 200 ms without a change', () => {
    const run = new Run(serves, {});
    expect(run.wire()).toEqual(['→ CDS []', '← CDS version 7 nonce 1.1: blue, red', '→ CDS []  version 7 nonce 1.1']);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(199);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(200);
    expect(run.fetch.state).toBe('done');
    expect(run.names).toEqual(['blue', 'red']);
    expect(run.fetch.nextDeadline()).toBeUndefined();
  });

  it('collects several responses, as long as each one adds a resource', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: EDS, do: [{ send: { type: EDS, resources: [e1] } }, { wait: 150ms }, { send: { type: EDS, resources: [e2] } }, { wait: 150ms }, { send: { type: EDS, resources: [e2] } }] }] } }`,
      { typeUrl: EDS },
    );
    run.clock.advanceTo(349);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(350);
    expect(run.fetch.state).toBe('done');
    expect(run.names).toEqual(['one', 'two']);
  });

  it('sends the name "*" if it was given', () => {
    const run = new Run(`servers: { p: { serves: [{ type: ${SDS}, version: "1", resources: [s1] }] } }`, {
      typeUrl: SDS,
      names: ['*'],
    });
    run.clock.advanceTo(200);
    expect(run.wire()[0]).toContain('[*]');
    expect([run.fetch.state, run.names, run.fetch.resources[0]?.received.verdict]).toEqual([
      'done',
      ['cert'],
      'not judged',
    ]);
  });

  it('is done after an empty response', () => {
    const run = new Run('servers: { p: { serves: [{ type: CDS, version: "1", resources: [] }] } }', {});
    run.clock.advanceTo(200);
    expect([run.fetch.state, run.names]).toEqual(['done', []]);
  });
});

describe('a subscription of get by name', () => {
  it('is done when responses mentioned every name and the ACK was sent', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: EDS, do: [{ send: { type: EDS, version: "1", resources: [e1] } }, { wait: 3s }, { send: { type: EDS, version: "2", errors: [{ name: two, code: NOT_FOUND, message: gone }] } }] }] } }`,
      { typeUrl: EDS, names: ['one', 'two'] },
    );
    expect(run.fetch.missing).toEqual(['two']);
    run.clock.advanceTo(2999);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(3000);
    expect(run.fetch.state).toBe('done');
    expect(run.wire().at(-1)).toBe('→ EDS [one, two]  version 2 nonce 1.2');
    expect(run.fetch.errors).toMatchObject([{ name: 'two', status: { code: 5, message: 'gone' } }]);
  });

  it('is not done before the ACK was sent', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: EDS, do: [{ reads: hold }, { send: { type: EDS, version: "1", resources: [e1] } }, { wait: 1s }, { reads: release }] }] } }`,
      { typeUrl: EDS, names: ['one'] },
    );
    run.clock.advanceTo(999);
    expect([run.names, run.fetch.state]).toEqual([['one'], 'open']);
    run.clock.advanceTo(1000);
    expect(run.fetch.state).toBe('done');
  });

  it('times out after 15 s without all resources, and keeps those that arrived', () => {
    const run = new Run('servers: { p: { serves: [{ type: CDS, version: "1", resources: [blue] }] } }', {
      names: ['blue', 'nope'],
    });
    run.clock.advanceTo(14_999);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(15_000);
    expect([run.fetch.state, run.fetch.missing, run.names]).toEqual(['timed out', ['nope'], ['blue']]);
  });

  it('times out after 30 s if the resource timer is a transient error', () => {
    const run = new Run('servers: { p: {} }', {
      names: ['a'],
      servers: [target('p', ['resource_timer_is_transient_error'])],
    });
    run.clock.advanceTo(29_999);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(30_000);
    expect(run.fetch.state).toBe('timed out');
  });

  it('reports XI201 for names without a response, "*" included', () => {
    for (const names of [['a', 'b'], ['*']]) {
      const run = new Run('servers: { p: { on: [{ request: CDS, do: [] }] } }', { names });
      run.clock.advanceTo(15_000);
      expect(run.fetch.findings()).toMatchObject([
        {
          code: 'XI201',
          names,
          message: expect.stringMatching(
            / within 15\.0 s: the server has not responded to any request on this stream$/,
          ),
        },
      ]);
      expect(run.fetch.silent).toEqual([{ server: expect.any(String), names }]);
    }
  });

  it('times out after the given timeout, connected or not', () => {
    const run = new Run('servers: { p: { state: silent } }', { names: ['a'], timeoutMs: 700 });
    run.clock.advanceTo(699);
    expect(run.fetch.state).toBe('open');
    run.clock.advanceTo(700);
    expect(run.fetch.state).toBe('timed out');
  });

  it('keeps its resources when the stream ends, and requests them again', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: EDS, do: [{ send: { type: EDS, version: "1", resources: [e1] } }, { close: ABORTED }] }, { request: EDS, times: 1, do: [] }] } }`,
      { typeUrl: EDS, names: ['one', 'two'] },
    );
    run.clock.advanceTo(2000);
    const requests = run.wire().filter((line) => line.startsWith('→'));
    expect(requests.filter((line) => line === '→ EDS [one, two]  version 1').length).toBeGreaterThan(0);
    run.clock.advanceTo(15_000);
    expect([run.fetch.state, run.fetch.missing]).toEqual(['timed out', ['two']]);
  });

  it('requests each name from the servers of its authority', () => {
    const name = 'xdstp://far/envoy.config.cluster.v3.Cluster/x?b=2&a=1';
    const run = new Run(
      `
  far: { "@type": CDS, name: "xdstp://far/envoy.config.cluster.v3.Cluster/x?a=1&b=2", type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
servers:
  p: { serves: [{ type: CDS, version: "1", resources: [blue] }] }
  q: { on: [{ request: CDS, do: [{ send: { type: CDS, version: "2", resources: [far] } }] }] }
`,
      {
        names: ['blue', name],
        servers: [target('p')],
        authorities: new Map([['far', { servers: [target('q')] }]]),
      },
    );
    run.clock.advanceTo(100);
    expect(run.fetch.state).toBe('done');
    expect(run.fetch.resources.map(({ server, received }) => `${server} ${received.name}`)).toEqual([
      `${memoryUri('p')} blue`,
      `${memoryUri('q')} xdstp://far/envoy.config.cluster.v3.Cluster/x?a=1&b=2`,
    ]);
  });

  it('throws for all names that cannot be requested, before it sends anything', () => {
    const make = (): Run =>
      new Run('servers: { p: {} }', {
        names: ['xdstp://near/envoy.config.cluster.v3.Cluster/x', 'xdstp://far/wrong.Type/x', 'good'],
        authorities: new Map([['far', { servers: [] }]]),
      });
    expect(make).toThrow(InvalidNames);
    expect(make).toThrow(/no authority "near"[\s\S]*not an xdstp name of the type envoy.config.cluster.v3.Cluster/);
  });
});

describe('a response to get', () => {
  it('is NACKed with the message of C-core, and its resources are kept', () => {
    const run = new Run('servers: { p: { serves: [{ type: CDS, version: "3", resources: [blue, bad] }] } }', {});
    run.clock.advanceTo(200);
    expect(run.wire().at(-1)).toMatch(
      /^→ CDS \[\] NACK nonce 1\.1: xDS response validation errors: \[resource index 1: bad: INVALID_ARGUMENT: /,
    );
    expect(run.fetch.resources.map(({ received }) => [received.name, received.verdict])).toEqual([
      ['blue', 'accepted'],
      ['bad', 'rejected'],
    ]);
    expect(run.fetch.resources[1]?.received.problems).toEqual([{ path: 'type', message: 'unknown discovery type' }]);
  });

  it('is NACKed with a forced reason, without an endless loop', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: CDS, do: [{ send: { type: CDS, version: "1", resources: [blue] } }] }, { request: CDS, is: nack, do: [{ wait: 20ms }, { send: { type: CDS, version: "1", resources: [blue] } }] }] } }`,
      { nack: 'on purpose' },
    );
    run.clock.advanceTo(1000);
    expect(run.wire()[2]).toBe('→ CDS [] NACK nonce 1.1: on purpose');
    expect(run.fetch.state).toBe('done');
    expect(run.fetch.nack).toBe('on purpose');
    expect(run.events.at(-1)?.at).toBeLessThan(300);
  });

  it('is unwrapped, with version and TTL of the wrapper', () => {
    const run = new Run(
      `servers: { p: { serves: [{ type: CDS, version: "1", resources: [{ wrap: blue, name: blue, version: "9", ttl: 1.5s }] }] } }`,
      {},
    );
    run.clock.advanceTo(200);
    expect(run.fetch.resources[0]?.received).toMatchObject({
      name: 'blue',
      version: '9',
      ttl: '1.500s',
      verdict: 'accepted',
      resource: { typeUrl: CDS },
    });
  });

  it('of another type is ignored, and so is a message that cannot be decoded', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: CDS, do: [{ sendBytes: "/////w==" }, { send: { type: EDS, resources: [e1] } }, { send: { type: CDS, version: "1", resources: [blue] } }] }] } }`,
      {},
    );
    run.clock.advanceTo(200);
    expect([run.fetch.state, run.names]).toEqual(['done', ['blue']]);
    expect(run.fetch.ignoredMessages).toEqual([
      expect.stringContaining('not a DiscoveryResponse'),
      'of a type that was never requested',
    ]);
  });
});

describe('the servers of get', () => {
  it('fall back if one is unreachable', () => {
    const run = new Run(
      'servers: { p: { state: refusing }, q: { serves: [{ type: CDS, version: "1", resources: [blue] }] } }',
      {},
    );
    run.clock.advanceTo(5000);
    expect([run.fetch.state, run.names, run.fetch.server]).toEqual(['done', ['blue'], memoryUri('q')]);
    expect(run.fetch.failures).toMatchObject([{ server: memoryUri('p'), kind: 'connection' }]);
    expect(run.events.filter(({ kind }) => kind === 'fallback')).toHaveLength(1);
  });

  it('fall back within the authority of the names', () => {
    const name = 'xdstp://far/envoy.config.cluster.v3.Cluster/x';
    const run = new Run('servers: { p: { state: refusing }, q: {} }', {
      names: [name],
      authorities: new Map([['far', { servers: [target('p'), target('q')] }]]),
    });
    run.clock.advanceTo(5000);
    expect(run.events.filter(({ kind }) => kind === 'fallback')).toMatchObject([
      { authority: 'far', change: 'down', from: memoryUri('p'), server: memoryUri('q') },
    ]);
  });

  it('fall back if one ends the stream without a response; get fails after the last', () => {
    const run = new Run(
      `servers: { p: { on: [{ request: CDS, do: [{ close: { code: UNIMPLEMENTED, message: no ADS } }] }] }, q: { state: refusing } }`,
      {},
    );
    run.clock.advanceTo(5000);
    expect(run.fetch.state).toBe('failed');
    expect(run.fetch.failures).toMatchObject([
      { server: memoryUri('p'), kind: 'stream', status: { code: 12, message: 'no ADS' } },
      { server: memoryUri('q'), kind: 'connection' },
    ]);
    expect(run.fetch.nextDeadline()).toBeUndefined();
  });
});

describe('get --watch', () => {
  it('reports changed and removed resources and reported errors, each once', () => {
    const run = new Run(
      `
servers: { p: { serves: [{ type: CDS, version: "1", resources: [blue, red] }] } }
steps:
  - wait: 60s
  - set: { type: CDS, version: "2", resources: [blue2, red] }
  - wait: 60s
  - set: { type: CDS, version: "3", resources: [blue2], errors: [{ name: green, code: INTERNAL, message: oh }] }
  - wait: 60s
  - set: { type: CDS, version: "4", resources: [blue2, red], errors: [{ name: green, code: INTERNAL, message: oh }] }
`,
      { follows: true },
    );
    const changes = (): string[] =>
      run.fetch.takeChanges().map((one) => `${one.kind} ${one.kind === 'resource' ? one.received.name : one.name}`);
    expect(changes()).toEqual(['resource blue', 'resource red']);
    run.clock.advanceTo(60_000);
    expect(changes()).toEqual(['resource blue']);
    run.clock.advanceTo(120_000);
    expect(changes()).toEqual(['error green', 'removed red']);
    run.clock.advanceTo(180_000);
    expect(changes()).toEqual(['resource red']);
    expect(run.fetch.state).toBe('open');
  });

  it('continues when the server is back', () => {
    const run = new Run(
      `
servers: { p: { serves: [{ type: CDS, version: "1", resources: [blue] }] } }
steps: [{ wait: 1s }, { state: refusing }, { wait: 30s }, { set: { type: CDS, version: "2", resources: [blue2] } }, { state: listening }]
`,
      { follows: true },
    );
    run.clock.advanceTo(1000);
    run.fetch.takeChanges();
    run.clock.advanceTo(200_000);
    expect(run.fetch.state).toBe('open');
    expect(run.fetch.takeChanges()).toMatchObject([{ kind: 'resource', received: { name: 'blue', version: '2' } }]);
  });

  it('fails if no server was ever reachable', () => {
    const run = new Run('servers: { p: { state: refusing } }', { follows: true });
    run.clock.advanceTo(5000);
    expect(run.fetch.state).toBe('failed');
  });
});

import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { XdsClient } from '../../src/core/client.js';
import type { ServerTarget } from '../../src/core/effect.js';
import type { Event } from '../../src/core/event.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { CONTEXT } from '../resources/context.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

const { CDS, EDS } = RESOURCE_TYPES;
const RESOURCES = `
resources:
  a: { "@type": CDS, name: a, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  b: { "@type": CDS, name: b, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: e }
`;

/** Requests with their server, and moves between servers, as `server text`. */
function told(run: Simulation, kinds: Event['kind'][] = ['fallback', 'request']): string[] {
  return run.events
    .filter((event) => kinds.includes(event.kind))
    .map((event) => {
      if (event.kind === 'fallback') return `${event.change} from ${event.from} to ${event.server}`;
      if (event.kind === 'request') return `${event.server} asks for [${event.names}]${event.nonce ? ' again' : ''}`;
      return event.kind === 'error' ? `${event.server} ${event.cause} ${event.name} ${event.effect}` : event.kind;
    });
}

const simulate = (rest: string): Simulation => new Simulation(scenarioFrom(RESOURCES + rest));

describe('fallback (A71)', () => {
  it('asks the next server for everything when the first cannot be reached, and nobody hears of an error (R5.6)', () => {
    const run = simulate(`
servers:
  first: { state: refusing }
  second: { serves: [{ type: CDS, resources: [a, b] }] }
`);
    for (const [watcher, name] of ['a', 'b'].entries())
      run.session.dispatch({ kind: 'watch', scope: 'test', watcher, typeUrl: CDS, name });
    run.clock.advanceTo(1000);
    expect(told(run, ['fallback', 'error'])).toEqual(['down from memory:first to memory:second']);
    expect(run.lines(['resource'])).toHaveLength(2);
    expect(told(run, ['request']).filter((line) => line.startsWith('memory:second'))[0]).toBe(
      'memory:second asks for [a,b]',
    );
  });

  it('goes on past servers that are down, and tells when all are (R5.6)', () => {
    const run = simulate('servers: { one: { state: refusing }, two: { state: refusing }, three: { state: refusing } }');
    run.watch(CDS, 'a');
    run.clock.advanceTo(500);
    expect(told(run, ['fallback', 'error'])).toEqual([
      'down from memory:one to memory:two',
      'down from memory:two to memory:three',
      'memory:three channel a none-cached',
    ]);
  });

  it('stays with what is cached: a lost connection alone is no reason (R5.2)', () => {
    const run = simulate(`
servers:
  first: { serves: [{ type: CDS, resources: [a] }] }
  second: { serves: [{ type: CDS, resources: [a, b] }] }
steps: [{ expect: { request: CDS, is: ack } }, { state: refusing, server: first }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(3000);
    expect(told(run, ['fallback'])).toEqual([]);
    expect(told(run, ['error'])[0]).toBe('memory:first channel a kept');
    // Something new is wanted while the server is down (R5.1).
    run.watch(CDS, 'b');
    run.clock.advanceTo(4000);
    expect(told(run, ['fallback'])).toEqual(['down from memory:first to memory:second']);
    expect(run.lines(['resource']).at(-1)).toMatch(/CDS b: ACKED/);
  });

  it('returns with the first response of a better server, and lets go of the lesser one (R5.10)', () => {
    const run = simulate(`
servers:
  first: { state: refusing, serves: [{ type: CDS, version: "9", resources: [a] }] }
  second: { serves: [{ type: CDS, version: "1", resources: [a] }] }
steps: [{ wait: 5s }, { state: listening, server: first }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(60_000);
    expect(told(run, ['fallback'])).toEqual([
      'down from memory:first to memory:second',
      'up from memory:second to memory:first',
    ]);
    expect(run.lines(['stream']).some((line) => line.includes('stream 2 to memory:second cancelled'))).toBe(true);
    // The same resource from another server is no change (R5.16); that the server is back is told (R4.8).
    expect(run.events.flatMap((e) => (e.kind === 'resource' ? [e.change] : []))).toEqual(['updated', 'cleared']);
  });

  it('deletes what only the fallback server had once the better one answers (R5.15)', () => {
    const run = simulate(`
servers:
  first: { state: refusing, serves: [{ type: CDS, resources: [a] }] }
  second: { serves: [{ type: CDS, resources: [a, b] }] }
steps: [{ wait: 5s }, { state: listening, server: first }]
`);
    run.watch(CDS, 'a', 'b');
    run.clock.advanceTo(60_000);
    const errors = run.events.flatMap((e) => (e.kind === 'error' ? [`${e.name} ${e.cause} ${e.server}`] : []));
    // Every response that leaves it out says so again (R1.32).
    expect([...new Set(errors)]).toEqual(['b deletion memory:first']);
  });

  it('is not caused by silence (R5.4)', () => {
    const run = simulate('servers: { first: {}, second: { serves: [{ type: EDS, resources: [e] }] } }');
    run.watch(EDS, 'e');
    run.clock.advanceTo(60_000);
    expect(told(run, ['fallback', 'error'])).toEqual(['memory:first timer e none-cached']);
  });
});

describe('authorities (A47)', () => {
  const server = (uri: string): ServerTarget => ({ uri, creds: { type: 'insecure' }, callCreds: [] });
  const name = (authority: string): string => `xdstp://${authority}/envoy.config.cluster.v3.Cluster/c`;

  function client(): XdsClient {
    let ids = 0;
    const newId = (): number => ++ids;
    return new XdsClient({
      scope: 's',
      servers: [server('top')],
      authorities: new Map([
        ['own', { servers: [server('own')] }],
        ['shared', { servers: [] }],
      ]),
      node: { id: 'n', userAgentName: '', userAgentVersion: '' },
      newChannelId: newId,
      newStreamId: newId,
      newReadingId: newId,
      seed: 1,
      context: CONTEXT,
      policies: PRESETS.spec.policies,
    });
  }

  const connected = (machine: XdsClient, ...names: string[]): string[] =>
    names
      .flatMap((one, watcher) => {
        machine.watch({ kind: 'external', id: watcher }, CDS, one, 0);
        return machine.takeEffects();
      })
      .flatMap((effect) => (effect.kind === 'connect' ? [effect.server.uri] : []));

  it('lead to their own servers, or to the common ones over the same connection', () => {
    expect(connected(client(), 'c', name('own'), name('shared'))).toEqual(['top', 'own']);
  });

  it('that the bootstrap does not have lead nowhere', () => {
    expect(connected(client(), name('nobody'), 'xdstp:bad')).toEqual([]);
  });

  it('of which the bootstrap knows nothing are an error, as are names that cannot be read (R3.14, R3.15)', () => {
    const said = (one: string): unknown => {
      const machine = client();
      machine.watch({ kind: 'external', id: 1 }, CDS, one, 7);
      const [effect] = machine.takeEffects();
      return effect?.kind === 'event' ? effect.event : effect;
    };
    expect(said(name('nobody'))).toMatchObject({
      kind: 'error',
      cause: 'bad-name',
      cache: undefined,
      at: 7,
      status: { code: 9, message: 'authority "nobody" not present in bootstrap config' },
      final: 'OnResourceChanged',
    });
    expect(said('xdstp:bad')).toMatchObject({
      status: { code: 3, message: 'Unable to parse resource name xdstp:bad' },
    });
  });
});

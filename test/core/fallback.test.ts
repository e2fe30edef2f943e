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

/** Requests, fallbacks and errors as text. */
function linesOf(run: Simulation, kinds: Event['kind'][] = ['fallback', 'request']): string[] {
  return run.events
    .filter((event) => kinds.includes(event.kind))
    .map((event) => {
      if (event.kind === 'fallback') return `${event.change} from ${event.from} to ${event.server}`;
      if (event.kind === 'request')
        return `request to ${event.server} [${event.names}]${event.nonce ? ' with nonce' : ''}`;
      return event.kind === 'error' ? `${event.server} ${event.cause} ${event.name} ${event.effect}` : event.kind;
    });
}

const simulate = (rest: string): Simulation => new Simulation(scenarioFrom(RESOURCES + rest));

describe('fallback (A71)', () => {
  it('requests all resources from the next server and reports no error if the first is unreachable (R5.6)', () => {
    const run = simulate(`
servers:
  first: { state: refusing }
  second: { serves: [{ type: CDS, resources: [a, b] }] }
`);
    for (const [watcher, name] of ['a', 'b'].entries())
      run.session.dispatch({ kind: 'watch', scope: 'test', watcher, typeUrl: CDS, name });
    run.clock.advanceTo(1000);
    expect(linesOf(run, ['fallback', 'error'])).toEqual(['down from memory:first to memory:second']);
    expect(run.lines(['resource'])).toHaveLength(2);
    expect(linesOf(run, ['request']).filter((line) => line.includes('memory:second'))[0]).toBe(
      'request to memory:second [a,b]',
    );
  });

  it('skips unreachable servers, and reports an error when all are unreachable (R5.6)', () => {
    const run = simulate('servers: { one: { state: refusing }, two: { state: refusing }, three: { state: refusing } }');
    run.watch(CDS, 'a');
    run.clock.advanceTo(500);
    expect(linesOf(run, ['fallback', 'error'])).toEqual([
      'down from memory:one to memory:two',
      'down from memory:two to memory:three',
      'memory:three channel a none-cached',
    ]);
  });

  it('does not occur while all watched resources are cached (R5.2)', () => {
    const run = simulate(`
servers:
  first: { serves: [{ type: CDS, resources: [a] }] }
  second: { serves: [{ type: CDS, resources: [a, b] }] }
steps: [{ expect: { request: CDS, is: ack } }, { state: refusing, server: first }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(3000);
    expect(linesOf(run, ['fallback'])).toEqual([]);
    expect(linesOf(run, ['error'])[0]).toBe('memory:first channel a kept');
    // A new resource is watched while the server is unreachable (R5.1).
    run.watch(CDS, 'b');
    run.clock.advanceTo(4000);
    expect(linesOf(run, ['fallback'])).toEqual(['down from memory:first to memory:second']);
    expect(run.lines(['resource']).at(-1)).toMatch(/CDS b: ACKED/);
  });

  it('ends with the first response of a server of higher priority, and closes the other stream (R5.10)', () => {
    const run = simulate(`
servers:
  first: { state: refusing, serves: [{ type: CDS, version: "9", resources: [a] }] }
  second: { serves: [{ type: CDS, version: "1", resources: [a] }] }
steps: [{ wait: 5s }, { state: listening, server: first }]
`);
    run.watch(CDS, 'a');
    run.clock.advanceTo(60_000);
    expect(linesOf(run, ['fallback'])).toEqual([
      'down from memory:first to memory:second',
      'up from memory:second to memory:first',
    ]);
    expect(run.lines(['stream']).some((line) => line.includes('stream 2 to memory:second cancelled'))).toBe(true);
    // An equal resource from another server is not an update (R5.16), but it clears the connection error (R4.8).
    expect(run.events.flatMap((e) => (e.kind === 'resource' ? [e.change] : []))).toEqual(['updated', 'cleared']);
  });

  it('deletes the resources that only the fallback server had when the first server responds (R5.15)', () => {
    const run = simulate(`
servers:
  first: { state: refusing, serves: [{ type: CDS, resources: [a] }] }
  second: { serves: [{ type: CDS, resources: [a, b] }] }
steps: [{ wait: 5s }, { state: listening, server: first }]
`);
    run.watch(CDS, 'a', 'b');
    run.clock.advanceTo(60_000);
    const errors = run.events.flatMap((e) => (e.kind === 'error' ? [`${e.name} ${e.cause} ${e.server}`] : []));
    // Every response that omits the resource reports the deletion again (R1.32).
    expect([...new Set(errors)]).toEqual(['b deletion memory:first']);
  });

  it('does not occur when a server is connected but does not respond (R5.4)', () => {
    const run = simulate('servers: { first: {}, second: { serves: [{ type: EDS, resources: [e] }] } }');
    run.watch(EDS, 'e');
    run.clock.advanceTo(60_000);
    expect(linesOf(run, ['fallback', 'error'])).toEqual(['memory:first timer e none-cached']);
  });
});

describe('an authority (A47)', () => {
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

  it('uses its own servers, or the connection to the top-level servers', () => {
    expect(connected(client(), 'c', name('own'), name('shared'))).toEqual(['top', 'own']);
  });

  it('that is not in the bootstrap opens no connection', () => {
    expect(connected(client(), name('nobody'), 'xdstp:bad')).toEqual([]);
  });

  it('that is not in the bootstrap is an error, as is a name that cannot be parsed (R3.14, R3.15)', () => {
    const firstEvent = (one: string): unknown => {
      const machine = client();
      machine.watch({ kind: 'external', id: 1 }, CDS, one, 7);
      const [effect] = machine.takeEffects();
      return effect?.kind === 'event' ? effect.event : effect;
    };
    expect(firstEvent(name('nobody'))).toMatchObject({
      kind: 'error',
      cause: 'bad-name',
      cache: undefined,
      at: 7,
      status: { code: 9, message: 'authority "nobody" not present in bootstrap config' },
      final: 'OnResourceChanged',
    });
    expect(firstEvent('xdstp:bad')).toMatchObject({
      status: { code: 3, message: 'Unable to parse resource name xdstp:bad' },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import type { Input } from '../../src/core/input.js';
import type { Transport } from '../../src/engine/ports.js';
import { openLive } from '../../src/inspect/live.js';
import { probeListeners } from '../../src/inspect/probe.js';
import { followTarget, resolverOf } from '../../src/inspect/resolve-targets.js';
import { settled } from '../../src/inspect/settled.js';
import type { LiveSource } from '../../src/inspect/source.js';
import type { WaitEnding } from '../../src/inspect/until.js';
import { untilProbed } from '../../src/inspect/until-probed.js';
import { live } from './live-source.js';

const named = (name: string): string =>
  `{ "@type": LDS, name: "${name}", api_listener: { api_listener: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{ name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }], route_config: { virtual_hosts: [] } } } }`;

/** A control plane with these listeners; `on` is its script. */
function plane(names: readonly string[], on = ''): string {
  const keys = names.map((_, i) => `l${i}`);
  return `
resources: { ${names.map((name, i) => `l${i}: ${named(name)}`).join(', ')} }
servers: { p: { serves: [{ type: LDS, version: "5", resources: [${keys.join(', ')}] }]${on === '' ? '' : `, on: [${on}]`} } }`;
}

const many = Array.from({ length: 30 }, (_, i) => `service-${i}`);
const BY_NAME = '{ request: LDS, names: [inventory], do: [{ send: { type: LDS, version: "5", resources: [] } }] }';
const SILENT_BY_NAME = '{ request: LDS, names: [inventory], do: [] }';

interface ProbeSetup {
  target?: string;
  /** Another target of the same client, before `target`. */
  firstTarget?: string;
  /** Fields of the bootstrap besides its servers and node. */
  bootstrap?: object;
  /** Seconds until the probe. */
  at?: number;
}

/** A client of a control plane, `seconds` after its start. */
function started(scenario: string, { target = 'inventory', firstTarget, bootstrap = {}, at = 16 }: ProbeSetup = {}) {
  const { source, clock } = live(scenario);
  const text = JSON.stringify({
    xds_servers: [{ server_uri: 'memory:p', channel_creds: [{ type: 'insecure' }] }],
    node: { id: 'web-3' },
    ...bootstrap,
  });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches({}, 'spec'));
  if (!read.ok) throw new Error(read.message);
  const client = { ...source.client, bootstrap: read.bootstrap };
  const inputs = [...(firstTarget === undefined ? [] : [firstTarget]), target].map((one) => {
    const follow = followTarget(one, resolverOf(client), undefined);
    if (follow.kind !== 'follow') throw new Error(follow.message);
    return follow;
  });
  const connections: string[] = [];
  const transport: Transport = {
    connect: (server, onState) => {
      connections.push(server.uri);
      return source.ports.transport.connect(server, onState);
    },
  };
  const recorded: Input[] = [];
  const recorder = { record: (input: Input) => void recorded.push(input), close: () => {} };
  const ports: LiveSource['ports'] = { ...source.ports, transport };
  const inspection = openLive({ kind: 'live', client, ports, inputs, recorder }, {});
  inspection.start();
  clock.advanceTo(at * 1000);
  let stop = (): void => {};
  const onInterrupt = (interrupt: () => void): (() => void) => {
    stop = interrupt;
    return () => {};
  };
  const probe = (limit = 10_000) =>
    probeListeners({ client, ports }, inspection.snapshot(), inspection.verdict(), { onInterrupt, limit });
  return { inspection, clock, connections, recorded, probe, interrupt: () => stop() };
}

/** Settles promises before the clock advances. */
const settledPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The verdict after the probe. */
async function probed(scenario: string, setting?: ProbeSetup) {
  const { inspection, clock } = started(scenario, setting);
  let isDone = false;
  const probing = inspection.probe({ limit: 10_000 }).then(() => {
    isDone = true;
  });
  while (!isDone) {
    await settledPromises();
    clock.advanceBy(100);
  }
  await probing;
  const [verdict] = inspection.verdict();
  if (verdict === undefined) throw new Error('nothing is followed');
  inspection.close();
  return verdict;
}

describe('the verdict on a missing listener', () => {
  it.each<[title: string, scenario: string, code: string, message: RegExp, advice: string, ProbeSetup?]>([
    [
      'names the listener that contains the name, and counts the others',
      plane(['checkout:443', 'inventory.prod:443', 'billing'], BY_NAME),
      'no-listener',
      /^no listener "inventory"; the control plane serves "inventory\.prod:443" \(and 2 more\)$/,
      'Dial xds:///inventory.prod:443, or serve a listener named "inventory" to node "web-3".',
    ],
    [
      'names the listener of a control plane that does not respond to unknown names',
      plane(['inventory.prod:443'], SILENT_BY_NAME),
      'no-listener',
      /^no listener "inventory"; the control plane serves "inventory\.prod:443"$/,
      'Dial xds:///inventory.prod:443, or serve a listener named "inventory" to node "web-3".',
    ],
    [
      'suggests no target if no name is similar',
      plane(['billing', 'checkout'], BY_NAME),
      'no-listener',
      /^no listener "inventory"; the control plane serves "billing" \(and 1 more\)$/,
      'Dial the name of a listener that exists, or serve a listener named "inventory" to node "web-3".',
    ],
    [
      'names no other listener if the list is empty',
      plane([], BY_NAME),
      'no-listener',
      /^no listener "inventory": memory:p answered version 5 without it$/,
      'Dial the name of a listener that exists, or serve a listener named "inventory" to node "web-3".',
    ],
    [
      'names no other listener if the wildcard request gets no response',
      plane([], `${BY_NAME}, { request: LDS, names: [], do: [] }`),
      'no-listener',
      /^no listener "inventory": memory:p answered version 5 without it$/,
      'Dial the name of a listener that exists, or serve a listener named "inventory" to node "web-3".',
    ],
    [
      'names no other listener if the wildcard request ends with an error',
      plane([], `${BY_NAME}, { request: LDS, names: [], do: [{ close: { code: PERMISSION_DENIED, message: no } }] }`),
      'no-listener',
      /^no listener "inventory": memory:p answered version 5 without it$/,
      'Dial the name of a listener that exists, or serve a listener named "inventory" to node "web-3".',
    ],
    [
      'keeps the cause silent if the wildcard request gets no response either',
      plane([], '{ request: LDS, do: [] }'),
      'silent',
      /^memory:p accepted the stream and has not answered for 1\d s$/,
      'Check that the control plane has configuration for node "web-3"; its log may show why it does not respond.',
    ],
    [
      'keeps the cause silent if the list is empty',
      plane([], SILENT_BY_NAME),
      'silent',
      /^memory:p accepted the stream and has not answered for 1\d s$/,
      'Check that the control plane has configuration for node "web-3"; its log may show why it does not respond.',
    ],
    [
      'reports a listener that is sent for a wildcard subscription but not by name',
      plane(['inventory'], BY_NAME),
      'no-listener',
      /^no listener "inventory": memory:p answered version 5 without it, but sends it for a wildcard subscription$/,
      'Check the log of the control plane: it sends the listener to node "web-3" for a wildcard subscription, but not by name.',
    ],
    [
      'applies the template of the bootstrap to the suggested target',
      plane(['grpc/inventory.prod', 'grpc/other'], BY_NAME.replace('[inventory]', '["grpc/inventory"]')),
      'no-listener',
      /^no listener "grpc\/inventory"; the control plane serves "grpc\/inventory\.prod" \(and 1 more\)$/,
      'Dial xds:///inventory.prod, or serve a listener named "grpc/inventory" to node "web-3".',
      { bootstrap: { client_default_listener_resource_name_template: 'grpc/%s' } },
    ],
    [
      'suggests no target for a name that the template cannot produce',
      plane(['inventory.prod'], BY_NAME.replace('[inventory]', '["grpc/inventory"]')),
      'no-listener',
      /^no listener "grpc\/inventory"; the control plane serves "inventory\.prod"$/,
      'Dial the name of a listener that exists, or serve a listener named "grpc/inventory" to node "web-3".',
      { bootstrap: { client_default_listener_resource_name_template: 'grpc/%s' } },
    ],
    [
      'lists only names of the authority of the target (A47)',
      plane(
        ['inventory.prod', 'xdstp://east/envoy.config.listener.v3.Listener/inventory.prod'],
        BY_NAME.replace('[inventory]', '["xdstp://east/envoy.config.listener.v3.Listener/inventory"]'),
      ),
      'no-listener',
      /serves "xdstp:\/\/east\/envoy\.config\.listener\.v3\.Listener\/inventory\.prod"$/,
      'Dial xds://east/inventory.prod, or serve a listener named "xdstp://east/envoy.config.listener.v3.Listener/inventory" to node "web-3".',
      { target: 'xds://east/inventory', bootstrap: { authorities: { east: {} } } },
    ],
    [
      'names the template of a server',
      plane(['other/0.0.0.0:8080'], BY_NAME.replace('[inventory]', '["server/0.0.0.0:8080"]')),
      'no-listener',
      /^no listener "server\/0\.0\.0\.0:8080"; the control plane serves "other\/0\.0\.0\.0:8080"$/,
      'Correct server_listener_resource_name_template in the bootstrap, or serve a listener named "server/0.0.0.0:8080" to node "web-3".',
      { target: '#server:0.0.0.0:8080', bootstrap: { server_listener_resource_name_template: 'server/%s' } },
    ],
  ])('%s', async (_title, scenario, code, message, advice, setting) => {
    const verdict = await probed(scenario, setting);
    expect(verdict).toMatchObject({ verdict: 'fails', cause: { code, resource: { type: 'LDS' } } });
    expect(verdict.cause?.message).toMatch(message);
    expect(verdict.advice).toBe(advice);
  });

  it('keeps 20 names, the likeliest first, and the total number', async () => {
    const verdict = await probed(plane([...many, 'inventory-v2'], BY_NAME));
    expect(verdict.listeners?.count).toBe(31);
    expect(verdict.listeners?.names).toHaveLength(20);
    expect(verdict.listeners?.names[0]).toBe('inventory-v2');
  });

  it('names other listeners while the resource timer is running', async () => {
    const verdict = await probed(plane(['inventory.prod'], BY_NAME), { at: 1 });
    expect(verdict).toMatchObject({ verdict: 'waiting', cause: { code: 'no-listener' }, listeners: { count: 1 } });
  });
});

describe('the probe', () => {
  it('ends after 2 s without a response', async () => {
    const { clock, probe } = started(plane([], `${BY_NAME}, { request: LDS, names: [], do: [] }`));
    let result: Awaited<ReturnType<typeof probe>> | undefined;
    void probe().then((end) => {
      result = end;
    });
    await settledPromises();
    clock.advanceBy(1999);
    await settledPromises();
    expect(result).toBeUndefined();
    clock.advanceBy(1);
    await settledPromises();
    expect(result).toEqual({ ending: 'met', listed: [] });
  });

  it('ends with the first response', async () => {
    const { clock, probe } = started(plane(['inventory.prod'], BY_NAME));
    const probing = probe();
    await settledPromises();
    // `get` waits longer for further responses to a wildcard subscription.
    clock.advanceBy(100);
    expect(await probing).toMatchObject({ listed: [{ server: 'memory:p', names: ['inventory.prod'] }] });
  });

  it('ends when the user interrupts it', async () => {
    const { probe, interrupt } = started(plane([], `${BY_NAME}, { request: LDS, names: [], do: [] }`));
    const probing = probe();
    await settledPromises();
    interrupt();
    expect(await probing).toEqual({ ending: 'interrupted', listed: [] });
  });

  it('does not appear in events, recordings, findings and the cache', async () => {
    const { inspection, clock, recorded, connections, probe } = started(plane(['inventory.prod'], BY_NAME));
    const traces = () => ({
      inputs: recorded.length,
      findings: inspection.findings(),
      entries: inspection
        .snapshot()
        .map(({ entries, metrics }) => ({ names: entries.map(({ name }) => name), metrics })),
    });
    const before = traces();
    let events = 0;
    inspection.events.subscribe(() => events++);
    const probing = probe();
    await settledPromises();
    clock.advanceBy(500);
    expect((await probing).listed).toHaveLength(1);
    expect(traces()).toEqual(before);
    expect(events).toBe(0);
    expect(connections).toEqual(['memory:p', 'memory:p']);
  });

  it('lists listeners for a server whose listener is missing, after one that has its listener', async () => {
    const { probe, clock } = started(plane(['0.0.0.0:1']), {
      ...{ firstTarget: '#server:0.0.0.0:1', target: '#server:0.0.0.0:2' },
      bootstrap: { server_listener_resource_name_template: '%s' },
    });
    const probing = probe();
    await settledPromises();
    clock.advanceBy(500);
    expect((await probing).listed).toMatchObject([{ scope: '#server', names: ['0.0.0.0:1'] }]);
  });

  it.each<[title: string, scenario: string, setting: ProbeSetup]>([
    ['for a target that works', plane(['inventory']), {}],
    ['for a server that refuses connections', 'servers: { p: { state: refusing } }', {}],
    [
      'for a listener that was rejected',
      plane(['inventory']).replace('http_filters: [{', 'xff_num_trusted_hops: 1, http_filters: [{'),
      {},
    ],
  ])('sends no request %s', async (_title, scenario, setting) => {
    const { probe, connections } = started(scenario, setting);
    const before = connections.length;
    expect(await probe()).toEqual({ ending: 'met', listed: [] });
    expect(connections).toHaveLength(before);
  });
});

const SILENT = plane([], '{ request: LDS, do: [] }');

/** Runs a wait with its probe. Returns how and when it ends, and when the probe connects. */
async function waited(scenario: string, limit: number) {
  const { inspection, clock, connections } = started(scenario, { at: 0 });
  const before = connections.length;
  let probedAt: number | undefined;
  let end: { ending: WaitEnding; at: number } | undefined;
  void untilProbed(inspection, settled(inspection), { limit }).then((ending) => {
    end = { ending, at: clock.now() };
  });
  for (let at = 0; end === undefined; at += 10) {
    clock.advanceTo(at);
    await settledPromises();
    if (connections.length > before) probedAt ??= at;
  }
  inspection.close();
  return { ...end, probedAt };
}

describe('the time limit of a command', () => {
  it.each<[title: string, scenario: string, limit: number, end: Awaited<ReturnType<typeof waited>>]>([
    ['reserves a quarter for the probe', SILENT, 800, { ending: 'timed out', at: 800, probedAt: 600 }],
    ['reserves at most 2 s for the probe', SILENT, 12_000, { ending: 'timed out', at: 12_000, probedAt: 10_000 }],
    [
      'leaves the probe 2 s after the resource timer expired',
      SILENT,
      25_000,
      { ending: 'met', at: 17_200, probedAt: 15_200 },
    ],
    [
      'lets the configuration settle after the probe',
      plane(
        ['inventory'],
        '{ request: LDS, names: [inventory], do: [{ wait: 770ms }, { send: { type: LDS, version: "5", resources: [l0] } }] }',
      ),
      1000,
      { ending: 'met', at: 970, probedAt: 750 },
    ],
  ])('%s', async (_title, scenario, limit, end) => {
    expect(await waited(scenario, limit)).toEqual(end);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT, runCli } from '../support/cli.js';
import { RecordedSimulation } from '../support/recorded.js';
import { scenarioFile, scenarioFrom } from '../support/simulate.js';

/** Two versions of one load assignment, sent in turn after every ACK. */
const CHANGING = `
resources:
  l:
    "@type": LDS
    name: greeter
    api_listener: { api_listener: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{ name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }], route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] } } }
  c: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e1: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: a }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
  e2: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: a }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }] }
servers:
  p:
    serves:
      - { type: LDS, version: "1", resources: [l] }
      - { type: CDS, version: "1", resources: [c] }
      - { type: EDS, version: "1", resources: [e1] }
    on:
      - { request: EDS, is: ack, times: 500, do: [{ wait: 1ms }, { send: { type: EDS, version: "2", resources: [e2] } }, { wait: 1ms }, { send: { type: EDS, version: "3", resources: [e1] } }] }
`;

const FINDINGS = join(ROOT, 'fixtures/scenarios/findings');
const SCENARIOS: [what: string, scenario: () => Scenario][] = [
  ['resources that change in a storm (XI214)', () => scenarioFrom(CHANGING)],
  ['unchanged responses in a storm (XI214)', () => scenarioFile(join(FINDINGS, 'storm.yaml'))],
  ['a NACK loop (XI203)', () => scenarioFile(join(FINDINGS, 'nack-loop.yaml'))],
];

interface TraceEvent {
  ph: string;
  tid: number;
  name: string;
  args: { name?: string; state?: string; end?: string };
}

/** The last span of each resource, such as `CDS blue: version 1`, if it lasts until the end. */
function lastSpans(text: string): string[] {
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
  const titles = new Map(
    traceEvents.filter(({ name }) => name === 'thread_name').map(({ tid, args }) => [tid, args.name]),
  );
  const last = new Map(traceEvents.filter(({ ph }) => ph === 'X').map((event) => [titles.get(event.tid), event]));
  return [...last].flatMap(([title, { name, args }]) =>
    args.state === 'cached' && args.end !== undefined ? [`${title}: ${name}`] : [],
  );
}

interface Status {
  scopes: { resources: { type: string; name: string; version: string | null }[] }[];
}

const RECORDING = join(ROOT, 'fixtures/recordings/first-look.xdsrec');

describe('replay -o trace', () => {
  it.each([
    [['-o', 'traces'], 'table, wide, json, yaml, name, ndjson, csds, html, jsonpath=, trace'],
    [['--as', 'c-core', '-o', 'traces'], 'text, json, yaml, html, jsonpath=, trace'],
    [['--at', '1s', '-o', 'traces'], 'table, wide, json, yaml, name, ndjson, csds, html, jsonpath=, trace'],
    [['--events', '-o', 'trace'], 'lines, ndjson, jsonpath='],
    [['tears', '-o', 'trace'], 'table, json, yaml, ndjson, html, jsonpath='],
  ])('is a format without a view: %s', async (flags, formats) => {
    const { code, stderr } = await runCli(['replay', RECORDING, ...flags]);
    expect([code, stderr]).toEqual([
      64,
      `xds-inspect: --output takes ${formats} for this view, not "${flags.at(-1)}"\n`,
    ]);
  });

  it.each(SCENARIOS)('ends with the versions that status shows: %s', async (_, scenario) => {
    const simulation = new RecordedSimulation(scenario());
    simulation.follow('xds:///greeter', 'greeter');
    simulation.clock.advanceBy(20_000);
    const path = join(temporaryFolder(), 'r.xdsrec');
    writeFileSync(path, simulation.finish());
    const status = JSON.parse((await runCli(['replay', path, 'status', '-o', 'json'])).stdout) as Status;
    const cached = status.scopes
      .flatMap(({ resources }) => resources)
      .flatMap(({ type, name, version }) => (version ? [`${type} ${name}: version ${version}`] : []));
    expect(cached.length).toBeGreaterThan(0);
    const trace = await runCli(['replay', path, '-o', 'trace']);
    expect(trace.code).toBe(0);
    expect(lastSpans(trace.stdout).sort()).toEqual(cached.sort());
  });
});

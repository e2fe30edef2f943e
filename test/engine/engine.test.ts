import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

const { CDS, EDS } = RESOURCE_TYPES;

describe('Engine', () => {
  it('has one client per client_scope, with its own stream and retries (A71)', () => {
    const run = new Simulation(
      scenarioFrom(`
resources: { a: { "@type": CDS, name: a } }
servers: { p: { serves: [{ type: CDS, resources: [a] }] } }
steps:
  - { expect: { stream: opened } }
  - { expect: { stream: opened } }
  - { stream: 1, close: UNAVAILABLE }
`),
    );
    for (const scope of ['one', 'two'])
      run.session.dispatch({ kind: 'watch', scope, watcher: 1, typeUrl: CDS, name: 'a' });
    run.clock.advanceTo(5000);
    const streams = run.events.flatMap((e) => (e.kind === 'stream' ? [`${e.scope} ${e.stream} ${e.change}`] : []));
    expect(streams).toEqual(['one 1 opened', 'two 2 opened', 'one 1 ended', 'one 3 opened']);
  });

  it('unsubscribes from replaced clusters when the new ones have arrived', () => {
    const hcm = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
    const router =
      '{ name: r, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }';
    const routes = (cluster: string): string =>
      `{ "@type": RDS, name: r, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: ${cluster} } }] }] }`;
    const cluster = (name: string): string =>
      `{ "@type": CDS, name: ${name}, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }`;
    const run = new Simulation(
      scenarioFrom(`
resources:
  l: { "@type": LDS, name: l, api_listener: { api_listener: { "@type": ${hcm}, http_filters: [${router}], rds: { route_config_name: r, config_source: { ads: {} } } } } }
  blue-routes: ${routes('blue')}
  green-routes: ${routes('green')}
  blue: ${cluster('blue')}
  green: ${cluster('green')}
  blue-endpoints: { "@type": EDS, cluster_name: blue }
  green-endpoints: { "@type": EDS, cluster_name: green }
servers:
  p:
    serves:
      - { type: LDS, resources: [l] }
      - { type: RDS, resources: [blue-routes] }
      - { type: CDS, resources: [blue] }
      - { type: EDS, resources: [blue-endpoints] }
steps:
  - { wait: 1s }
  - { set: { type: RDS, version: "2", resources: [green-routes] } }
  - { wait: 1s }
  - { set: { type: CDS, version: "2", resources: [blue, green] } }
  - { wait: 1s }
  - { set: { type: EDS, version: "2", resources: [green-endpoints] } }
`),
    );
    run.session.dispatch({ kind: 'follow', scope: 's', target: 't', listener: 'l', authority: 'any' });
    const requestsOf = (type: string): string[] =>
      run.events.flatMap((e) =>
        e.kind === 'request' && e.typeUrl === type ? [`${Math.floor(e.at / 1000)} ${e.names}`] : [],
      );
    run.clock.advanceTo(5000);
    expect([...new Set(requestsOf(CDS))]).toEqual(['0 blue', '1 blue,green', '2 blue,green', '3 green']);
    expect([...new Set(requestsOf(EDS))]).toEqual(['0 blue', '2 blue,green', '3 green']);
  });

  it('has no deadline and no events without watchers', () => {
    const run = new Simulation(scenarioFrom('{}'));
    run.clock.advanceTo(1_000_000);
    expect(run.events).toEqual([]);
  });
});

import type { Event } from '../../src/core/event.js';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { type Verdict, verdictOf } from '../../src/inspect/verdict/verdict.js';
import { listener } from '../support/serving.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

/** Routes of the virtual host `*`, inline in the listener `greeter`. */
export function routes(...list: string[]): string {
  return listener(`route_config: { virtual_hosts: [{ domains: ["*"], routes: [${list.join(', ')}] }] }`);
}

export function route(prefix: string, cluster: string, match = ''): string {
  return `{ match: { prefix: "${prefix}"${match} }, route: { cluster: ${cluster} } }`;
}

export function cluster(name: string): string {
  return `{ "@type": CDS, name: ${name}, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }`;
}

export function aggregate(name: string, ...children: string[]): string {
  const type = '"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';
  return `{ "@type": CDS, name: ${name}, cluster_type: { name: envoy.clusters.aggregate, typed_config: { ${type}, clusters: [${children.join(', ')}] } } }`;
}

/** One endpoint for each health state. */
export function endpoints(name: string, healths: string[] = ['HEALTHY'], policy = ''): string {
  const list = healths.map(
    (health, i) =>
      `{ health_status: ${health}, endpoint: { address: { socket_address: { address: 10.0.0.${i + 1}, port_value: 80 } } } }`,
  );
  const locality = `{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [${list.join(', ')}] }`;
  return `{ "@type": EDS, cluster_name: ${name}, endpoints: [${locality}]${policy} }`;
}

export interface PlaneSpec {
  /** By key. Keys that start with `l`, `r`, `c` and `e` are listeners, routes, clusters and endpoints. */
  resources?: Record<string, string>;
  /** The keys that the primary serves as version 1; by default all. */
  serves?: string[];
  /** YAML of the other keys of the primary. */
  primary?: string;
  /** YAML of more servers. */
  servers?: string;
  steps?: string[];
  features?: string[];
  /** `greeter`, or the target of a server. */
  target?: string;
  /** Seconds until the verdict. */
  at?: number;
}

const TYPES: Record<string, string> = { l: 'LDS', r: 'RDS', c: 'CDS', e: 'EDS' };

function holding(keys: readonly string[], version = '1'): string[] {
  return Object.entries(TYPES).flatMap(([letter, type]) => {
    const own = keys.filter((key) => key.startsWith(letter));
    return own.length === 0 ? [] : [`{ type: ${type}, version: "${version}", resources: [${own.join(', ')}] }`];
  });
}

/** Follows one target on a scripted control plane. */
export function run(spec: PlaneSpec): Simulation {
  const { resources = {}, primary = '', servers = '', steps = [], target = 'greeter' } = spec;
  const serves = holding(spec.serves ?? Object.keys(resources));
  const scenario = scenarioFrom(
    [
      `resources: { ${Object.entries(resources)
        .map(([key, text]) => `${key}: ${text}`)
        .join(', ')} }`,
      `servers: { p: { serves: [${serves.join(', ')}]${primary === '' ? '' : `, ${primary}`} }${servers === '' ? '' : `, ${servers}`} }`,
      `steps: [${steps.join(', ')}]`,
    ].join('\n'),
  );
  const simulation = new Simulation(scenario, 1, spec.features ?? []);
  const isServer = target.startsWith('#server:');
  simulation.session.dispatch({
    kind: 'follow',
    scope: isServer ? '#server' : `xds:///${target}`,
    target: isServer ? target : `xds:///${target}`,
    listener: isServer ? 'greeter' : target,
    authority: isServer ? undefined : target,
  });
  simulation.clock.advanceTo((spec.at ?? 1) * 1000);
  return simulation;
}

/** Computes the verdict from the snapshot and the events only, which a replayed recording has, too. */
export function verdictNow(simulation: Simulation, events: readonly Event[] = simulation.events): Verdict {
  const facts = new VerdictFacts();
  for (const event of events) facts.observe(event);
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  return verdictOf(scope, channel, { facts, nodeId: 'n', now: simulation.clock.now() });
}

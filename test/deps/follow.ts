import type { Status } from '../../src/base/status.js';
import type { Policies } from '../../src/bootstrap/policies.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import type { InternalWatcher, WatcherUpdate } from '../../src/core/watcher.js';
import { CollectingManager } from '../../src/deps/collecting-manager.js';
import type { ConfigState, XdsConfig } from '../../src/deps/config.js';
import { DependencyManager } from '../../src/deps/dependency-manager.js';
import type { TargetManager } from '../../src/deps/target-manager.js';
import { type RESOURCE_TYPES, shortType } from '../../src/proto/resource-types.js';
import { acceptedJson } from '../resources/validate.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = {
  name: 'r',
  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
};
const AGGREGATE = 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';

type Type = keyof typeof RESOURCE_TYPES;

export const json = {
  listener: (routes: string, extra: object = {}): object => ({
    name: 'l',
    api_listener: {
      api_listener: {
        '@type': HCM,
        http_filters: [ROUTER],
        rds: { route_config_name: routes, config_source: { ads: {} } },
        ...extra,
      },
    },
  }),
  inline: (...clusters: string[]): object => ({
    name: 'l',
    api_listener: { api_listener: { '@type': HCM, http_filters: [ROUTER], route_config: json.routes(...clusters) } },
  }),
  /** One virtual host, `*`, with a route to each cluster. */
  routes: (...clusters: string[]): object => json.routesFor('*', ...clusters),
  routesFor: (domain: string, ...clusters: string[]): object => ({
    name: 'r',
    virtual_hosts: [
      { domains: [domain], routes: clusters.map((cluster) => ({ match: { prefix: '' }, route: { cluster } })) },
    ],
  }),
  eds: (name: string, service = ''): object => ({
    name,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} }, service_name: service },
  }),
  dns: (name: string, host: string): object => ({
    name,
    type: 'LOGICAL_DNS',
    load_assignment: {
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: host, port_value: 80 } } } }] }],
    },
  }),
  aggregate: (name: string, ...clusters: string[]): object => ({
    name,
    cluster_type: { name: 'a', typed_config: { '@type': AGGREGATE, clusters } },
  }),
  endpoints: (name: string, port = 80): object => ({
    cluster_name: name,
    endpoints: [
      {
        locality: { region: 'r' },
        load_balancing_weight: 1,
        lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: port } } } }],
      },
    ],
  }),
};

/** A dependency manager with a client and DNS that the test controls. Records what it watches and publishes. */
export class Follow {
  readonly manager: TargetManager;
  readonly watched = new Map<string, InternalWatcher>();
  readonly published: ConfigState[] = [];
  readonly queries: { id: number; host: string }[] = [];
  #last = 0;

  constructor(policies: Partial<Policies> = {}, authority = 'any') {
    const names = new Map<InternalWatcher, string>();
    const Manager = policies.collectWatches ? CollectingManager : DependencyManager;
    this.manager = new Manager(
      {
        target: 'xds:///l',
        listener: 'l',
        authority,
        nodeId: 'n',
        policies: { ...PRESETS.spec.policies, ...policies },
        random: () => 0.5,
      },
      {
        watch: (typeUrl, name) => {
          const watcher: InternalWatcher = { kind: 'internal' };
          this.watched.set(`${shortType(typeUrl)} ${name}`, watcher);
          names.set(watcher, `${shortType(typeUrl)} ${name}`);
          return watcher;
        },
        unwatch: (watcher) => this.watched.delete(names.get(watcher) as string),
        resolve: (host, port) => {
          this.queries.push({ id: ++this.#last, host: `${host}:${port}` });
          return this.#last;
        },
        publish: (state) => this.published.push(state),
        setNeeds: () => {},
      },
    );
  }

  /** The watched resources, sorted. */
  get watches(): string[] {
    return [...this.watched.keys()].sort();
  }

  get(type: Type, name: string, resource: object): this {
    return this.notify(type, name, { kind: 'OnResourceChanged', resource: acceptedJson(type, resource) });
  }

  fail(type: Type, name: string, message = 'does not exist'): this {
    return this.notify(type, name, { kind: 'OnResourceChanged', error: status(message) });
  }

  ambient(type: Type, name: string, message?: string): this {
    const error = message === undefined ? undefined : status(message);
    return this.notify(type, name, { kind: 'OnAmbientError', error });
  }

  notify(type: Type, name: string, update: WatcherUpdate): this {
    if (!this.watched.has(`${type} ${name}`))
      throw new Error(`${type} ${name} is not watched: ${this.watches.join(', ')}`);
    this.manager.onUpdate(type, name, update);
    this.manager.processUpdates();
    return this;
  }

  resolve(host: string, result: { addresses: string[] } | { failure: string }, now = 0): this {
    const query = this.queries.findLast((one) => one.host === host);
    this.manager.onResolved(query?.id ?? 0, result, now);
    this.manager.processUpdates();
    return this;
  }

  get config(): XdsConfig {
    const state = this.published.at(-1);
    if (state?.kind !== 'published') throw new Error(`no configuration: ${JSON.stringify(state)}`);
    return state.config;
  }

  /** The last published state as short text. */
  get summary(): string {
    const state = this.published.at(-1);
    if (state?.kind === 'error') return `error: ${state.message}`;
    if (state?.kind !== 'published') return 'nothing';
    return [...state.config.clusters]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, cluster]) => {
        if (cluster.kind === 'error') return `${name}! ${cluster.message}`;
        if (cluster.kind === 'aggregate') return `${name} → ${cluster.leaves.join(', ')}`;
        return cluster.endpoints.note === '' ? name : `${name} (${cluster.endpoints.note})`;
      })
      .join(' | ');
  }

  /** A complete configuration: listener, routes, and clusters with endpoints of the same name. */
  static complete(...clusters: string[]): Follow {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes(...clusters));
    for (const name of clusters) run.get('CDS', name, json.eds(name)).get('EDS', name, json.endpoints(name));
    return run;
  }
}

function status(message: string): Status {
  return { code: 5, message };
}

import { Problems } from '../../src/base/problem.ts';
import { RESOURCE_TYPES, type ShortType } from '../../src/proto/resource-types.ts';
import { readResources } from '../../src/scenario/read-resources.ts';
import type { ServedType } from '../../src/scenario/scenario.ts';

/** The target that clients follow: a listener with routes to three clusters. */
export const TARGET = 'greeter';

/** A cluster that library clients watch with a watcher of their own, outside of the target. */
export const SOLO = 'solo';

/** The host of a LOGICAL_DNS cluster. Without a DNS server of the suite, an address that needs no query. */
export const DNS_HOST = 'backend.faults.test';
const NO_QUERY = '127.0.0.1';

export const FIRST_REVISION = 1;

const TYPES = Object.keys(RESOURCE_TYPES) as ShortType[];

/** Each revision changes the resources of one type. The remainder of the revision selects the change. */
const CHANGES = ['EDS', 'CDS', 'EDS', 'RDS', 'CDS', 'EDS', 'CDS', 'LDS'] as const satisfies readonly ShortType[];
const VALID_CLUSTERS = 1;
const INVALID_CLUSTER = 4;
const OMITTED_CLUSTER = 6;

const ROUTER = { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' };

/** The last revision up to this one that changes a type. It is the version of the type, so a version has one content. */
export function versionOf(type: ShortType, revision: number): number {
  for (let one = revision; one > FIRST_REVISION; one--) if (CHANGES[one % CHANGES.length] === type) return one;
  return FIRST_REVISION;
}

/** The next revision in which every resource is valid and present. */
export function completeRevision(from: number): number {
  let revision = from;
  while (revision % CHANGES.length !== VALID_CLUSTERS) revision++;
  return revision;
}

/** The resources of a type in a version, in proto JSON by name. */
export function contentsOf(type: ShortType, version: number): Map<string, object> {
  return new Map(Object.entries(CONTENTS[type](version)));
}

/** Whether gRPC rejects a resource in a version. */
export function isInvalid(type: ShortType, name: string, version: number): boolean {
  return type === 'CDS' && name === 'green' && version % CHANGES.length === INVALID_CLUSTER;
}

const CONTENTS: Record<ShortType, (version: number) => Record<string, object>> = {
  LDS: (version) => ({
    [TARGET]: {
      name: TARGET,
      api_listener: {
        api_listener: {
          '@type':
            'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
          rds: { config_source: { ads: {} }, route_config_name: 'routes' },
          common_http_protocol_options: { max_stream_duration: `${version}s` },
          http_filters: [{ name: 'router', typed_config: ROUTER }],
        },
      },
    },
  }),
  RDS: (version) => ({
    routes: {
      name: 'routes',
      virtual_hosts: [
        {
          domains: ['*'],
          routes: [
            { match: { prefix: `/v${version}.Service/` }, route: { cluster: 'blue' } },
            { match: { prefix: '/red.Service/' }, route: { cluster: 'red' } },
            { match: { prefix: '/named.Service/' }, route: { cluster: 'named' } },
            { match: { prefix: '' }, route: { cluster: 'green' } },
          ],
        },
      ],
    },
  }),
  CDS: (version) => {
    const change = version % CHANGES.length;
    return {
      blue: cluster('blue', version),
      green: { ...cluster('green', 1), ...(change === INVALID_CLUSTER && { type: 'STRICT_DNS' }) },
      ...(change !== OMITTED_CLUSTER && { red: cluster('red', 1) }),
      named: dnsCluster('named', NO_QUERY),
      [SOLO]: cluster(SOLO, version),
    };
  },
  EDS: (version) => ({
    blue: endpoints('blue', version),
    green: endpoints('green', version),
    red: endpoints('red', 1),
  }),
};

function cluster(name: string, version: number): object {
  return {
    name,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} } },
    circuit_breakers: { thresholds: [{ max_requests: version }] },
  };
}

function dnsCluster(name: string, host: string): object {
  const address = { socket_address: { address: host, port_value: 8080 } };
  return { name, type: 'LOGICAL_DNS', load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] } };
}

function endpoints(name: string, version: number): object {
  const address = { socket_address: { address: `10.${(version >> 8) & 255}.${version & 255}.1`, port_value: 8080 } };
  const locality = { region: 'a' };
  return {
    cluster_name: name,
    endpoints: [{ locality, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address } }] }],
  };
}

/**
 * The served types of a revision; with `since`, only those that differ from that revision. With `hasDns`, the DNS cluster
 * has a host name.
 */
export function servedTypes(revision: number, hasDns: boolean, since?: number): ServedType[] {
  return TYPES.filter((type) => since === undefined || versionOf(type, revision) !== versionOf(type, since)).map(
    (type) => {
      const version = versionOf(type, revision);
      const contents = contentsOf(type, version);
      if (hasDns && type === 'CDS') contents.set('named', dnsCluster('named', DNS_HOST));
      const resources = [...contents.values()].map((json) => encoded(type, json));
      return { typeUrl: RESOURCE_TYPES[type], version: String(version), errors: [], resources };
    },
  );
}

function encoded(type: ShortType, json: object): ServedType['resources'][number] {
  const problems = new Problems();
  const noFiles = () => ({ failure: 'the model has no files' });
  const resource = readResources(new Map([['one', { '@type': type, ...json }]]), noFiles, problems).get('one');
  if (resource === undefined || problems.any) throw new Error(`bad ${type}: ${JSON.stringify(problems.list)}`);
  return { resource, wrapper: undefined };
}

import { describe, expect, it } from 'vitest';
import { findingsOf, validateFile } from '../../../src/inspect/validate/files.js';
import { validateDocument } from '../../../src/view/validate.js';
import { CONTEXT } from '../../resources/context.js';

const T = 'type.googleapis.com/';
const A = `${T}envoy.admin.v3.`;
const ADS = { ads: {} };
const cluster = (name: string, more: object = {}): object => ({
  '@type': `${T}envoy.config.cluster.v3.Cluster`,
  name,
  type: 'EDS',
  eds_cluster_config: { eds_config: ADS },
  ...more,
});
const listener = (name: string): object => ({ '@type': `${T}envoy.config.listener.v3.Listener`, name });
const routes = (name: string): object => ({ '@type': `${T}envoy.config.route.v3.RouteConfiguration`, name });
const endpoints = (name: string): object => ({
  '@type': `${T}envoy.config.endpoint.v3.ClusterLoadAssignment`,
  cluster_name: name,
});
const secret = (name: string): object => ({ '@type': `${T}envoy.extensions.transport_sockets.tls.v3.Secret`, name });

const ONE_CLUSTER = { '@type': `${A}ClustersConfigDump`, dynamic_active_clusters: [{ cluster: cluster('blue') }] };

const DUMP = {
  configs: [
    {
      '@type': `${A}BootstrapConfigDump`,
      bootstrap: {
        node: { id: 'n' },
        static_resources: { clusters: [{ name: 'boot', type: 'STATIC' }], listeners: [{ name: 'admin' }] },
        typed_dns_resolver_config: { name: 'cares', typed_config: { '@type': `${T}google.protobuf.Empty` } },
      },
      last_updated: '2026-01-01T00:00:00Z',
    },
    {
      '@type': `${A}ClustersConfigDump`,
      version_info: '1',
      static_clusters: [{ cluster: cluster('static'), last_updated: '2026-01-01T00:00:00Z' }],
      dynamic_active_clusters: [{ version_info: '1', cluster: cluster('live', { lb_policy: 'MAGLEV' }) }],
      dynamic_warming_clusters: [{ cluster: cluster('warm') }],
    },
    {
      '@type': `${A}ListenersConfigDump`,
      dynamic_listeners: [
        {
          name: 'one',
          active_state: { listener: listener('active') },
          warming_state: { listener: listener('warming') },
          draining_state: { listener: listener('draining') },
          error_state: { failed_configuration: listener('refused'), details: 'no' },
          client_status: 'ACKED',
        },
      ],
    },
    {
      '@type': `${A}ScopedRoutesConfigDump`,
      inline_scoped_route_configs: [
        {
          name: 's',
          scoped_route_configs: [{ '@type': `${T}envoy.config.route.v3.ScopedRouteConfiguration`, name: 'scoped' }],
        },
      ],
    },
    { '@type': `${A}RoutesConfigDump`, dynamic_route_configs: [{ route_config: routes('r') }] },
    { '@type': `${A}EndpointsConfigDump`, dynamic_endpoint_configs: [{ endpoint_config: endpoints('e') }] },
    { '@type': `${A}SecretsConfigDump`, dynamic_active_secrets: [{ name: 'k', secret: secret('k') }] },
    {
      '@type': `${A}EcdsConfigDump`,
      ecds_filters: [
        { ecds_filter: { '@type': `${T}envoy.config.core.v3.TypedExtensionConfig`, name: 'x' }, version_info: '1' },
      ],
    },
  ],
};

interface Document {
  responses: {
    type: string;
    verdict: string;
    resources: { name: string; verdict: string; path: string; line: number; problems: { line: number }[] }[];
  }[];
  unreadable: unknown[];
}
const document = (json: unknown): Document => {
  const bytes = new TextEncoder().encode(JSON.stringify(json, null, 1));
  return validateDocument(validateFile('dump.json', bytes, CONTEXT), 'spec') as Document;
};
const lines = ({ responses }: Document): string[] =>
  responses.flatMap(({ resources }) => resources.map(({ path, name, verdict }) => `${path} ${name} ${verdict}`));

describe('validate of a config dump of Envoy', () => {
  it('gives every resource in every state a verdict, with its path in the dump', () => {
    expect(lines(document(DUMP)).sort()).toEqual([
      'configs[0].bootstrap.static_resources.clusters[0] boot rejected',
      'configs[0].bootstrap.static_resources.listeners[0] admin rejected',
      'configs[1].dynamic_active_clusters[0].cluster live rejected',
      'configs[1].dynamic_warming_clusters[0].cluster warm accepted',
      'configs[1].static_clusters[0].cluster static accepted',
      'configs[2].dynamic_listeners[0].active_state.listener active rejected',
      'configs[2].dynamic_listeners[0].draining_state.listener draining rejected',
      'configs[2].dynamic_listeners[0].error_state.failed_configuration refused rejected',
      'configs[2].dynamic_listeners[0].warming_state.listener warming rejected',
      'configs[3].inline_scoped_route_configs[0].scoped_route_configs[0] scoped ignored',
      'configs[4].dynamic_route_configs[0].route_config r accepted',
      'configs[5].dynamic_endpoint_configs[0].endpoint_config e accepted',
      'configs[6].dynamic_active_secrets[0].secret k ignored',
      'configs[7].ecds_filters[0].ecds_filter x ignored',
    ]);
    expect(document(DUMP).unreadable).toEqual([]);
  });

  it('validates resources of different states separately, so that one state does not reject another', () => {
    const clusters = document(DUMP).responses.filter(({ type }) => type === 'CDS');
    expect(clusters.map(({ verdict, resources }) => [verdict, ...resources.map(({ name }) => name)])).toEqual([
      ['NACK', 'boot', 'static'],
      ['NACK', 'live'],
      ['ACK', 'warm'],
    ]);
  });

  it('reports the position of a problem in the dump', () => {
    const text = JSON.stringify(DUMP, null, 1);
    const line = text.slice(0, text.indexOf('"lb_policy"')).split('\n').length;
    const live = document(DUMP)
      .responses.flatMap(({ resources }) => resources)
      .find(({ name }) => name === 'live');
    expect(live?.problems.map((problem) => problem.line)).toEqual([line]);
  });

  it('reads one section, a dump with a resource filter, a CSDS response and an Envoy bootstrap', () => {
    expect(lines(document(DUMP.configs[1]))).toEqual([
      'static_clusters[0].cluster static accepted',
      'dynamic_active_clusters[0].cluster live rejected',
      'dynamic_warming_clusters[0].cluster warm accepted',
    ]);
    const filtered = { configs: [{ '@type': `${A}ClustersConfigDump.DynamicCluster`, cluster: cluster('c') }] };
    expect(lines(document(filtered))).toEqual(['configs[0].cluster c accepted']);
    const csds = { config: [{ node: {}, genericXdsConfigs: [{ typeUrl: 'x', xdsConfig: cluster('c') }] }] };
    expect(lines(document(csds))).toEqual(['config[0].genericXdsConfigs[0].xdsConfig c accepted']);
    const bootstrap = { admin: {}, static_resources: { clusters: [{ name: 'c', type: 'STATIC' }] } };
    expect(lines(document(bootstrap))).toEqual(['static_resources.clusters[0] c rejected']);
  });

  it('reads dumps of several proxies by their names, and validates each separately', () => {
    const dumps = {
      'static-ns': { 'pod-1': { configs: [ONE_CLUSTER] }, 'pod-2': { configs: [ONE_CLUSTER] } },
      other: { 'pod-3': ONE_CLUSTER },
    };
    expect(lines(document(dumps))).toEqual([
      'static-ns.pod-1.configs[0].dynamic_active_clusters[0].cluster blue accepted',
      'static-ns.pod-2.configs[0].dynamic_active_clusters[0].cluster blue accepted',
      'other.pod-3.dynamic_active_clusters[0].cluster blue accepted',
    ]);
    expect(document(dumps).responses).toHaveLength(3);
  });

  it('reads dumps in the field xds beside other objects, as egctl translates them', () => {
    const translated = { gateways: [{ kind: 'Gateway' }], xds: { 'ns/gw': { configs: [ONE_CLUSTER] } } };
    expect(lines(document(translated))).toEqual([
      'xds["ns/gw"].configs[0].dynamic_active_clusters[0].cluster blue accepted',
    ]);
  });

  it('is not a mapping in which only one value is a dump', () => {
    expect(document({ a: { configs: [] }, b: { name: 'x' } }).unreadable).toHaveLength(1);
    expect(document({}).unreadable).toHaveLength(1);
  });

  it('is accepted without resources', () => {
    expect(document({ configs: [] })).toMatchObject({ responses: [], unreadable: [] });
  });

  it('reports unknown fields and types of the resources in it', () => {
    const dump = {
      configs: [
        {
          '@type': `${A}ClustersConfigDump`,
          new_clusters: 1,
          static_clusters: [{ cluster: cluster('c', { later: 1 }) }],
        },
      ],
    };
    const bytes = new TextEncoder().encode(JSON.stringify(dump));
    expect(
      findingsOf(validateFile('d.json', bytes, CONTEXT)).map(({ code, place }) => `${code} ${place.path}`),
    ).toEqual(['XI105 later']);
  });
});

describe('validate of a list without "@type", as Envoy Gateway writes it', () => {
  it('determines the types of resources that gRPC does not know, too', () => {
    const list = [
      { name: 's', tlsCertificate: { certificateChain: { filename: 'f' } } },
      { name: 'v', validationContext: {} },
      { name: 'f', typedConfig: { '@type': `${T}google.protobuf.Empty` } },
      { clusterName: 'e' },
    ];
    expect(lines(document(list))).toEqual(['[0] s ignored', '[1] v ignored', '[2] f ignored', '[3] e accepted']);
  });
});

import { describe, expect, it } from 'vitest';
import { API_TYPES } from '../../src/proto/api-types.js';
import { resourceType } from '../../src/proto/find-resource-type.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { typeNameOf } from '../../src/proto/json/type-name.js';
import { readProvenance } from '../../tools/api/provenance.js';
import { ROOT } from '../support/root.js';

const T = 'type.googleapis.com/';
const CLUSTER = `${T}envoy.config.cluster.v3.Cluster`;

describe('short names', () => {
  it('exist for every discovery service of the published API', () => {
    const { resourceTypes } = readProvenance(ROOT);
    expect(resourceTypes.length).toBeGreaterThan(8);
    const known = Object.values(API_TYPES).map(typeNameOf);
    expect(resourceTypes.filter((type) => !known.includes(type))).toEqual([]);
    expect(known.filter((name) => xdsCatalogue.message(name) === undefined)).toEqual([]);
  });
});

describe('resourceType finds', () => {
  const cases: [string, Record<string, unknown>][] = [
    ['cds', { short: 'CDS', typeUrl: CLUSTER, remark: undefined }],
    ['Cds', { short: 'CDS' }],
    ['SDS', { typeUrl: `${T}envoy.extensions.transport_sockets.tls.v3.Secret` }],
    [CLUSTER, { short: 'CDS', typeUrl: CLUSTER }],
    ['envoy.config.cluster.v3.Cluster', { short: 'CDS', typeUrl: CLUSTER }],
    ['Cluster', { short: 'CDS', typeUrl: CLUSTER }],
    ['listener', { short: 'LDS' }],
    ['Listeners', { short: 'LDS' }],
    ['route', { short: 'RDS' }],
    ['routes', { short: 'RDS' }],
    ['cluster', { short: 'CDS' }],
    ['CLUSTERS', { short: 'CDS' }],
    ['endpoint', { short: 'EDS' }],
    ['endpoints', { short: 'EDS' }],
    ['secret', { short: 'SDS' }],
    ['secrets', { short: 'SDS' }],
    ['cluters', { problem: '"cluters" is not a resource type (did you mean "clusters"?)' }],
    [
      'routeconfiguration',
      { problem: expect.stringMatching(/^"routeconfiguration" is ambiguous \(.*\): use the full name$/) },
    ],
    ['DownstreamTlsContext', { typeUrl: `${T}envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext` }],
    ['acme.example/a.B', { short: 'acme.example/a.B', remark: 'a.B is not in the API: requesting it anyway' }],
    ['a.B', { typeUrl: `${T}a.B` }],
    [
      'envoy.config.cluster.v3.Clutser',
      { remark: expect.stringContaining('did you mean "envoy.config.cluster.v3.Cluster"') },
    ],
    ['cdss', { problem: '"cdss" is not a resource type (did you mean "cds"?)' }],
    [
      '',
      { problem: expect.stringContaining('expected listeners, routes, clusters, endpoints, secrets, lds, rds, cds') },
    ],
    ['constructor', { problem: expect.any(String) }],
  ];
  for (const [typed, want] of cases) {
    it(typed || '(empty input)', () => expect(resourceType(typed, xdsCatalogue)).toMatchObject(want));
  }
});

import { describe, expect, it } from 'vitest';
import { readServedResources } from '../../src/io/served-resources.js';
import { DiscoveryRequest, DiscoveryResponse, Resource } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode, encode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { bootstrapFor } from '../../src/scenario/bootstrap.js';
import { ControlPlane } from '../../src/scenario/control-plane.js';

import { scenarioFrom } from '../support/simulate.js';

const { CDS, EDS } = RESOURCE_TYPES;

const SCENARIO = `
resources:
  a: { "@type": CDS, name: a }
  b: { "@type": CDS, name: b }
  e: { "@type": EDS, cluster_name: e }
servers:
  p:
    serves:
      - { type: CDS, version: "1", resources: [a, { wrap: b, version: v, ttl: 1500ms }] }
      - { type: EDS, version: "1", resources: [e] }
`;

/** A control plane with one open stream, for requests that no real client sends. */
class Peer {
  readonly plane = new ControlPlane(scenarioFrom(SCENARIO));

  constructor() {
    this.plane.handle({ kind: 'start' }, 0);
    this.plane.handle({ kind: 'stream-opened', server: 'p', stream: 1 }, 0);
  }

  request(init: Partial<DiscoveryRequest>): DiscoveryResponse | undefined {
    const effects = this.plane.handle(
      { kind: 'request', stream: 1, bytes: encode(DiscoveryRequest, DiscoveryRequest.create(init)) },
      0,
    );
    const sent = effects.find((effect) => effect.kind === 'send');
    const decoded = sent && decode(DiscoveryResponse, sent.bytes);
    return decoded?.ok ? decoded.value : undefined;
  }
}

describe('the scripted control plane', () => {
  it('treats a first request without names as a wildcard for clusters, but not for endpoints', () => {
    const peer = new Peer();
    expect(peer.request({ typeUrl: CDS })?.resources.length).toBe(2);
    expect(peer.request({ typeUrl: EDS })).toBeUndefined();
  });

  it('treats * as a wildcard for every type', () => {
    expect(new Peer().request({ typeUrl: EDS, resourceNames: ['*'] })?.resources.length).toBe(1);
  });

  it('treats an empty list after names as an unsubscription', () => {
    const peer = new Peer();
    const first = peer.request({ typeUrl: CDS, resourceNames: ['a'] });
    expect(peer.request({ typeUrl: CDS, responseNonce: first?.nonce ?? '' })).toBeUndefined();
    const servedTypes = [{ typeUrl: CDS, version: '2', resources: [], errors: [] }];
    const effects = peer.plane.handle({ kind: 'served-types', server: 'p', servedTypes }, 0);
    expect(effects.map((effect) => effect.kind)).toEqual(['event']);
  });

  it('treats an empty list after * as an unsubscription', () => {
    const peer = new Peer();
    const first = peer.request({ typeUrl: CDS, resourceNames: ['*'] });
    expect(peer.request({ typeUrl: CDS, responseNonce: first?.nonce ?? '' })).toBeUndefined();
    const servedTypes = [{ typeUrl: CDS, version: '2', resources: [], errors: [] }];
    expect(peer.plane.handle({ kind: 'served-types', server: 'p', servedTypes }, 0).map((e) => e.kind)).toEqual([
      'event',
    ]);
  });

  it('ignores a request with an old nonce, which crossed a response on the wire', () => {
    const peer = new Peer();
    peer.request({ typeUrl: CDS, resourceNames: ['a'] });
    expect(peer.request({ typeUrl: CDS, resourceNames: ['a', 'b'], responseNonce: 'old' })).toBeUndefined();
    expect(peer.request({ typeUrl: CDS, resourceNames: ['a', 'b'], responseNonce: '1.1' })?.nonce).toBe('1.2');
  });

  it('does not respond for unknown types, unknown streams and malformed requests', () => {
    const peer = new Peer();
    expect(peer.request({ typeUrl: 'x/y', resourceNames: ['a'] })).toBeUndefined();
    expect(peer.plane.handle({ kind: 'request', stream: 9, bytes: new Uint8Array(0) }, 0)).toEqual([]);
    expect(peer.plane.handle({ kind: 'request', stream: 1, bytes: new Uint8Array([255]) }, 0)).toMatchObject([
      { kind: 'event', event: { kind: 'bad-request', reason: 'message ends inside a value at byte 1' } },
    ]);
  });

  it('sends a wrapped resource with its name, version and TTL', () => {
    const [wrapped] = new Peer().request({ typeUrl: CDS, resourceNames: ['b'] })?.resources ?? [];
    expect(wrapped?.typeUrl).toBe('type.googleapis.com/envoy.service.discovery.v3.Resource');
    expect(decode(Resource, wrapped?.value ?? new Uint8Array(0))).toMatchObject({
      ok: true,
      value: { name: 'b', version: 'v', ttl: { seconds: 1n, nanos: 500_000_000 }, resource: { typeUrl: CDS } },
    });
  });
});

describe('resource files', () => {
  it('contain one resource, a list, or a mapping with resources', () => {
    const { resources, problems } = readServedResources([
      { path: 'one', text: '"@type": CDS\nname: a' },
      { path: 'list', text: '- { "@type": CDS, name: b }' },
      { path: 'response', text: '{"versionInfo": "ignored", "resources": [{"@type": "EDS", "clusterName": "c"}]}' },
    ]);
    expect(resources.map((r) => r.name)).toEqual(['a', 'b', 'c']);
    expect(problems).toEqual([]);
  });
});

describe('the bootstrap of a scenario', () => {
  it('lists all servers at the top level if every server belongs to an authority', () => {
    const scenario = scenarioFrom('servers: { p: {} }\nauthorities: { x: [p] }');
    const entry = { server_uri: 'h:1', channel_creds: [{ type: 'insecure' }], server_features: ['xds_v3'] };
    expect(bootstrapFor(scenario, new Map([['p', 'h:1']]))).toEqual({
      xds_servers: [entry],
      // grpc-js-xds requires a locality.
      node: { id: 'xds-inspect', locality: {} },
      server_listener_resource_name_template: 'grpc/server?xds.resource.listening_address=%s',
      authorities: { x: { xds_servers: [entry] } },
    });
  });
});

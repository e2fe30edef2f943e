import { describe, expect, it } from 'vitest';
import { syncAsClientStatus, syncRequest } from '../../src/csds/istio-sync.js';
import { readClientStatus } from '../../src/csds/read-client-status.js';
import { Node } from '../../src/proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest, DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { ClientConfig } from '../../src/proto/generated/envoy.service.status.v3.js';
import { decode, encode } from '../../src/proto/message-type.js';

const TYPE = 'istio.io/debug/syncz';
const CONFIG = 'type.googleapis.com/envoy.service.status.v3.ClientConfig';

function proxy(id: string) {
  return { typeUrl: CONFIG, value: encode(ClientConfig, ClientConfig.create({ node: Node.create({ id }) })) };
}

const response = (typeUrl: string, ...resources: { typeUrl: string; value: Uint8Array }[]): Uint8Array =>
  encode(DiscoveryResponse, DiscoveryResponse.create({ typeUrl, resources }));

function nodesIn(bytes: Uint8Array, nodeIds: string[] = []): (string | undefined)[] | object {
  const read = syncAsClientStatus(bytes, nodeIds);
  return 'failure' in read ? read.failure : readClientStatus(read.bytes).clients.map(({ node }) => node?.id);
}

describe("Istio's view of its proxies", () => {
  it('is requested as a client that is not a proxy itself', () => {
    const decoded = decode(DiscoveryRequest, syncRequest());
    expect(decoded).toMatchObject({
      ok: true,
      value: { typeUrl: TYPE, node: { id: 'sidecar~127.0.0.1~xds-inspect~local' } },
    });
  });

  it('is read like a response of CSDS, whatever the length of its parts', () => {
    const long = 'n'.repeat(70_000);
    expect(nodesIn(response(TYPE, proxy('a'), proxy(long), proxy('b'.repeat(200))))).toEqual([
      'a',
      long,
      'b'.repeat(200),
    ]);
    expect(nodesIn(response(TYPE))).toEqual([]);
  });

  it('can be limited to some nodes, and skips what is not a proxy', () => {
    const other = { typeUrl: 'type.googleapis.com/google.protobuf.Struct', value: new Uint8Array() };
    expect(nodesIn(response(TYPE, proxy('a'), other, proxy('b')), ['b'])).toEqual(['b']);
  });

  it('is a failure with the reason if the response is another one', () => {
    expect(nodesIn(response('x'))).toEqual({ code: 12, message: `it responded with x instead of ${TYPE}` });
    expect(nodesIn(new Uint8Array([0x0a, 0x05]))).toMatchObject({ code: 13 });
  });

  it('has problems, not exceptions, for a malformed proxy', () => {
    const read = syncAsClientStatus(response(TYPE, { typeUrl: CONFIG, value: new Uint8Array([0x0a, 0x05]) }), []);
    expect('bytes' in read && readClientStatus(read.bytes).problems).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { AdsStream } from '../../src/core/ads-stream.js';
import { nodeMessage } from '../../src/core/node.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';

const node = nodeMessage({ id: 'me', userAgentName: 'agent', userAgentVersion: '1' });

/** Writes what is due, as a transport that is never busy would. */
function written(stream: AdsStream): DiscoveryRequest[] {
  const out: DiscoveryRequest[] = [];
  for (let next = stream.nextRequest(() => 'v'); next !== undefined; next = stream.nextRequest(() => 'v')) {
    const decoded = decode(DiscoveryRequest, next.bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    out.push(decoded.value);
    stream.written();
  }
  return out;
}

describe('AdsStream', () => {
  it('sends the node, with both client features, in the first request only (R1.6)', () => {
    const stream = new AdsStream(1, node);
    stream.subscribe('T', 'a');
    stream.subscribe('U', 'b');
    const [first, second] = written(stream);
    expect(first?.node).toMatchObject({
      id: 'me',
      userAgentName: 'agent',
      userAgentVersionType: { kind: 'userAgentVersion', value: '1' },
      clientFeatures: ['envoy.lb.does_not_support_overprovisioning', 'xds.config.resource-in-sotw'],
    });
    expect(second).toMatchObject({ typeUrl: 'U', resourceNames: ['b'], node: undefined });
  });

  it('says nothing new when a name is subscribed twice', () => {
    const stream = new AdsStream(1, node);
    stream.subscribe('T', 'a');
    written(stream);
    stream.subscribe('T', 'a');
    expect(written(stream)).toEqual([]);
  });

  it('sends a NACK once, with the nonce it refuses', () => {
    const stream = new AdsStream(1, node);
    stream.subscribe('T', 'a');
    written(stream);
    stream.answer('T', 'n1', { code: 3, message: 'bad' });
    stream.subscribe('T', 'b');
    expect(written(stream)).toMatchObject([{ responseNonce: 'n1', errorDetail: { code: 3, message: 'bad' } }]);
    stream.subscribe('T', 'c');
    expect(written(stream)).toMatchObject([{ responseNonce: 'n1', errorDetail: undefined }]);
  });

  it('keeps a NACK that waits to be written when a good response follows (R1.10)', () => {
    const stream = new AdsStream(1, node);
    stream.subscribe('T', 'a');
    expect(stream.nextRequest(() => '')).toBeDefined();
    stream.answer('T', 'n1', { code: 3, message: 'bad' });
    stream.answer('T', 'n2', undefined);
    stream.written();
    expect(written(stream)).toMatchObject([{ responseNonce: 'n2', errorDetail: { message: 'bad' } }]);
  });
});

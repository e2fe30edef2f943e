import { describe, expect, it } from 'vitest';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import { AdsStream, type OutgoingRequest } from '../../src/core/ads-stream.js';
import { nodeMessage } from '../../src/core/node.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { structToJson } from '../../src/resources/common/struct-json.js';

const node = nodeMessage({ id: 'me', userAgentName: 'agent', userAgentVersion: '1' });

/** Begins to write the next request that is due. */
function write(stream: AdsStream, version: string): OutgoingRequest | undefined {
  const [typeUrl] = stream.unsaid;
  if (typeUrl !== undefined) stream.word(typeUrl, version);
  return stream.nextRequest();
}

/** Writes what is due, as a transport that is never busy would. */
function written(stream: AdsStream): DiscoveryRequest[] {
  const out: DiscoveryRequest[] = [];
  for (let next = write(stream, 'v'); next !== undefined; next = write(stream, 'v')) {
    const decoded = decode(DiscoveryRequest, next.bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    out.push(decoded.value);
    stream.written(15_000, () => false);
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

  it('says of itself what the bootstrap says, but for what is empty (R1.6)', () => {
    const bootstrap = readBootstrap(
      new TextEncoder().encode(`{
  "xds_servers": [{ "server_uri": "x", "channel_creds": [{ "type": "insecure" }] }],
  "node": { "id": "n", "cluster": "c", "locality": { "zone": "z" },
            "metadata": { "a": [1.5, "x", true, null, { "b": {} }] } } }`),
      readSwitches({}, 'spec'),
    );
    if (!bootstrap.ok || bootstrap.bootstrap.node === undefined) throw new Error('a good bootstrap was refused');
    const whole = nodeMessage({
      id: 'n',
      userAgentName: '',
      userAgentVersion: '',
      bootstrap: bootstrap.bootstrap.node,
    });
    expect(whole).toMatchObject({ cluster: 'c', locality: { region: '', zone: 'z', subZone: '' } });
    expect(whole.metadata && structToJson(whole.metadata)).toEqual({ a: [1.5, 'x', true, null, { b: {} }] });
    expect(node).toMatchObject({ cluster: '', locality: undefined, metadata: undefined });
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

  it('waits for what was asked for from when the request has left, once (R2.1, R2.4, R2.6)', () => {
    const stream = new AdsStream(1, node);
    stream.subscribe('T', 'a');
    stream.subscribe('T', 'cached');
    write(stream, '');
    stream.subscribe('T', 'late');
    expect(stream.nextTimeout).toBeUndefined();
    stream.written(15_000, (_, name) => name === 'cached');
    expect(stream.nextTimeout).toBe(15_000);
    expect(stream.takeOverdue(14_999)).toEqual([]);
    expect(stream.takeOverdue(15_000)).toMatchObject([{ typeUrl: 'T', name: 'a' }]);
    expect(stream.nextTimeout).toBeUndefined();
    write(stream, '');
    stream.written(20_000, () => false);
    expect(stream.takeOverdue(20_000).map(({ name }) => name)).toEqual(['cached', 'late']);
  });

  it('waits no longer for what the server spoke of, or nobody wants any more (R2.4)', () => {
    const stream = new AdsStream(1, node);
    for (const name of ['a', 'b', 'c']) stream.subscribe('T', name);
    write(stream, '');
    stream.written(15_000, () => false);
    stream.saw('T', ['a', 'stranger']);
    stream.unsubscribe('T', 'b', false);
    expect(stream.takeOverdue(15_000).map(({ name }) => name)).toEqual(['c']);
  });

  it('keeps a NACK that waits to be written when a good response follows (R1.10)', () => {
    const stream = new AdsStream(1, node);
    stream.subscribe('T', 'a');
    expect(write(stream, '')).toBeDefined();
    stream.answer('T', 'n1', { code: 3, message: 'bad' });
    stream.answer('T', 'n2', undefined);
    stream.written(15_000, () => false);
    expect(written(stream)).toMatchObject([{ responseNonce: 'n2', errorDetail: { message: 'bad' } }]);
  });
});

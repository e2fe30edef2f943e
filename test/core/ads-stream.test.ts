import { describe, expect, it } from 'vitest';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import { AdsStream } from '../../src/core/ads-stream.js';
import { nodeMessage } from '../../src/core/node.js';
import type { OutgoingRequest } from '../../src/core/protocol.js';
import { SOTW_PROTOCOL } from '../../src/core/sotw.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { structToJson } from '../../src/resources/common/struct-json.js';

const node = nodeMessage({ id: 'me', userAgentName: 'agent', userAgentVersion: '1' });

const newStream = (): AdsStream => new AdsStream(1, SOTW_PROTOCOL.requestBuilder(node, new Map()), undefined);

/** Completes the write of a request and starts its resource timers. */
function onWritten(
  stream: AdsStream,
  dueAt: number,
  isCached = (_type: string, _name: string): boolean => false,
): void {
  stream.startTimers(dueAt, isCached, stream.onWritten());
}

/** The names whose resource timers expire. */
function expired(stream: AdsStream, now: number): string[] {
  const timers = stream.timers.takeExpired(now);
  for (const timer of timers) stream.markExpired(timer);
  return timers.map(({ name }) => name);
}

/** Starts to write the next pending request. */
function write(stream: AdsStream): OutgoingRequest | undefined {
  const [typeUrl] = stream.dirtyTypes;
  if (typeUrl !== undefined) stream.buildRequest(typeUrl);
  return stream.nextRequest();
}

/** Writes all pending requests, as a transport that is never busy would. */
function written(stream: AdsStream): DiscoveryRequest[] {
  const out: DiscoveryRequest[] = [];
  for (let next = write(stream); next !== undefined; next = write(stream)) {
    const decoded = decode(DiscoveryRequest, next.bytes);
    if (!decoded.ok) throw new Error(decoded.reason);
    out.push(decoded.value);
    onWritten(stream, 15_000);
  }
  return out;
}

describe('AdsStream', () => {
  it('sends the node, with both client features, in the first request only (R1.6)', () => {
    const stream = newStream();
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

  it('sends the node of the bootstrap without its empty fields (R1.6)', () => {
    const bootstrap = readBootstrap(
      new TextEncoder().encode(`{
  "xds_servers": [{ "server_uri": "x", "channel_creds": [{ "type": "insecure" }] }],
  "node": { "id": "n", "cluster": "c", "locality": { "zone": "z" },
            "metadata": { "a": [1.5, "x", true, null, { "b": {} }] } } }`),
      readSwitches({}, 'spec'),
    );
    if (!bootstrap.ok || bootstrap.bootstrap.node === undefined) throw new Error('the bootstrap is invalid');
    const message = nodeMessage({
      id: 'n',
      userAgentName: '',
      userAgentVersion: '',
      bootstrap: bootstrap.bootstrap.node,
    });
    expect(message).toMatchObject({ cluster: 'c', locality: { region: '', zone: 'z', subZone: '' } });
    expect(message.metadata && structToJson(message.metadata)).toEqual({ a: [1.5, 'x', true, null, { b: {} }] });
    expect(node).toMatchObject({ cluster: '', locality: undefined, metadata: undefined });
  });

  it('sends no request when a name is subscribed twice', () => {
    const stream = newStream();
    stream.subscribe('T', 'a');
    written(stream);
    stream.subscribe('T', 'a');
    expect(written(stream)).toEqual([]);
  });

  it('sends a NACK once, with the nonce of the rejected response', () => {
    const stream = newStream();
    stream.subscribe('T', 'a');
    written(stream);
    stream.acknowledge('T', 'n1', { code: 3, message: 'bad' });
    stream.subscribe('T', 'b');
    expect(written(stream)).toMatchObject([{ responseNonce: 'n1', errorDetail: { code: 3, message: 'bad' } }]);
    stream.subscribe('T', 'c');
    expect(written(stream)).toMatchObject([{ responseNonce: 'n1', errorDetail: undefined }]);
  });

  it('starts a resource timer when the request was sent, once per name (R2.1, R2.4, R2.6)', () => {
    const stream = newStream();
    stream.subscribe('T', 'a');
    stream.subscribe('T', 'cached');
    write(stream);
    stream.subscribe('T', 'late');
    expect(stream.timers.nextDue).toBeUndefined();
    onWritten(stream, 15_000, (_, name) => name === 'cached');
    expect(stream.timers.nextDue).toBe(15_000);
    expect(expired(stream, 14_999)).toEqual([]);
    expect(expired(stream, 15_000)).toEqual(['a']);
    expect(stream.timers.nextDue).toBeUndefined();
    write(stream);
    onWritten(stream, 20_000);
    expect(expired(stream, 20_000)).toEqual(['cached', 'late']);
  });

  it('stops the resource timer when a response mentions the name or it is unsubscribed (R2.4)', () => {
    const stream = newStream();
    for (const name of ['a', 'b', 'c']) stream.subscribe('T', name);
    write(stream);
    onWritten(stream, 15_000);
    stream.markReceived('T', ['a', 'stranger']);
    stream.unsubscribe('T', 'b', false);
    expect(expired(stream, 15_000)).toEqual(['c']);
  });

  it('sends a queued NACK even if a valid response follows (R1.10)', () => {
    const stream = newStream();
    stream.subscribe('T', 'a');
    expect(write(stream)).toBeDefined();
    stream.acknowledge('T', 'n1', { code: 3, message: 'bad' });
    stream.acknowledge('T', 'n2', undefined);
    onWritten(stream, 15_000);
    expect(written(stream)).toMatchObject([{ responseNonce: 'n2', errorDetail: { message: 'bad' } }]);
  });
});

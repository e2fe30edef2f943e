import { describe, expect, it } from 'vitest';
import type { Status } from '../../src/base/status.js';
import type { RequestBuilder } from '../../src/core/protocol.js';
import { SOTW_PROTOCOL } from '../../src/core/sotw.js';
import { Node } from '../../src/proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';

const { CDS, EDS } = RESOURCE_TYPES;
const node = Node.create({ id: 'n' });
const nack = (message: string, code = 3): Status => ({ code, message });

function requestsOf(versions = new Map<string, string>([[CDS, '1']])): RequestBuilder {
  const requests = SOTW_PROTOCOL.requestBuilder(node, versions);
  requests.build(CDS, ['a'], undefined);
  return requests;
}

function send(requests: RequestBuilder, nonce: string, names: string[], error: Status | undefined): Uint8Array {
  requests.onResponse(CDS, nonce);
  return requests.build(CDS, names, error).bytes;
}

describe('the requests of the state-of-the-world protocol', () => {
  const NEXT: [title: string, nonce: string, error: Status | undefined][] = [
    ['the same error', '2', nack('bad')],
    ['a long nonce', ''.padEnd(200, 'n'), nack('bad')],
    ['a nonce that is not ASCII', 'é', nack('bad')],
    ['no nonce', '', nack('bad')],
    ['another error', '2', nack('worse')],
    ['another code', '2', nack('bad', 14)],
    ['an ACK', '2', undefined],
  ];
  it.each(NEXT)('encodes the request after a NACK like a first one: %s', (_title, nonce, error) => {
    const after = requestsOf();
    send(after, '1', ['a'], nack('bad'));
    expect(send(after, nonce, ['a'], error)).toEqual(send(requestsOf(), nonce, ['a'], error));
  });

  it('repeats a NACK with the current version and names', () => {
    const versions = new Map<string, string>([[CDS, '1']]);
    const requests = requestsOf(versions);
    send(requests, '1', ['a'], nack('bad'));
    versions.set(CDS, '2');
    expect(send(requests, '2', ['a'], nack('bad'))).toEqual(send(requestsOf(versions), '2', ['a'], nack('bad')));
    requests.onSubscriptionChange(CDS);
    expect(decode(DiscoveryRequest, send(requests, '3', ['b'], nack('bad')))).toMatchObject({
      value: { versionInfo: '2', responseNonce: '3', resourceNames: ['b'], errorDetail: { code: 3, message: 'bad' } },
    });
  });

  it('repeats a NACK only for its type', () => {
    const requests = requestsOf(new Map([CDS, EDS].map((typeUrl) => [typeUrl, '1'])));
    send(requests, '1', ['a'], nack('bad'));
    requests.onResponse(EDS, '2');
    const { bytes } = requests.build(EDS, ['e'], nack('bad'));
    expect(decode(DiscoveryRequest, bytes)).toMatchObject({ value: { typeUrl: EDS, resourceNames: ['e'] } });
  });

  it('sends the node in the first request of a stream, also if that is a NACK', () => {
    const requests = SOTW_PROTOCOL.requestBuilder(node, new Map());
    const nodes = ['1', '2', '3'].map((nonce) => {
      const decoded = decode(DiscoveryRequest, send(requests, nonce, ['a'], nack('bad')));
      return decoded.ok ? decoded.value.node?.id : 'malformed';
    });
    expect(nodes).toEqual(['n', undefined, undefined]);
  });
});

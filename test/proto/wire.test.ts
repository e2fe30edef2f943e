import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameBytes } from '../../src/base/bytes.js';
import { Cluster } from '../../src/proto/generated/envoy.config.cluster.v3.js';
import { Metadata } from '../../src/proto/generated/envoy.config.core.v3.js';
import { LbEndpoint } from '../../src/proto/generated/envoy.config.endpoint.v3.js';
import { Listener } from '../../src/proto/generated/envoy.config.listener.v3.js';
import { DiscoveryRequest, DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { ClientStatusResponse } from '../../src/proto/generated/envoy.service.status.v3.js';
import { type Struct, Value } from '../../src/proto/generated/google.protobuf.js';
import { decode, encode } from '../../src/proto/message-type.js';
import { resourceName } from '../../src/proto/resource-name.js';
import { Reader } from '../../src/proto/wire/reader.js';
import { skimLeaf } from '../../src/proto/wire/skim.js';
import { Writer } from '../../src/proto/wire/writer.js';

const hex = (text: string): Uint8Array =>
  Uint8Array.from(text.replaceAll(' ', '').match(/../g) ?? [], (b) => Number.parseInt(b, 16));

/** Returns a reader of the written bytes. */
function written(write: (writer: Writer) => void): Reader {
  const writer = new Writer();
  write(writer);
  return new Reader(writer.finish());
}

describe('Reader and Writer', () => {
  it('preserve 64-bit values', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        expect(written((w) => w.varint64(n)).int64()).toBe(n);
        expect(written((w) => w.varint64(n)).uint64()).toBe(BigInt.asUintN(64, n));
        expect(written((w) => w.fixed64(n)).sfixed64()).toBe(n);
        expect(written((w) => w.varint64((n << 1n) ^ (n >> 63n))).sint64()).toBe(n);
      }),
    );
  });

  it('preserve 32-bit values, and truncate longer varints to 32 bits', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        expect(written((w) => w.int32(n)).int32()).toBe(n);
        expect(written((w) => w.varint32(n)).uint32()).toBe(n >>> 0);
        expect(written((w) => w.fixed32(n)).sfixed32()).toBe(n);
        expect(written((w) => w.varint64(BigInt(n) + 2n ** 40n)).int32()).toBe(n);
      }),
    );
    expect(new Reader(hex('80 80 80 80 10')).uint32()).toBe(0);
    expect(new Reader(hex('80 80 80 80 80 80 80 80 80 01')).bool()).toBe(true);
  });

  it('preserve floats and doubles', () => {
    fc.assert(
      fc.property(fc.double(), (n) => {
        expect(written((w) => w.double(n)).double()).toBe(n);
        expect(written((w) => w.float(n)).float()).toBe(Math.fround(n));
      }),
    );
  });
});

describe('decode rejects what upb rejects, with reason and offset:', () => {
  const cases: { title: string; bytes: string; want: string }[] = [
    { title: 'field number 0', bytes: '02 00', want: 'field number 0 at 1' },
    { title: 'field number 0 in a long tag', bytes: '82 00 00', want: 'field number 0 at 2' },
    { title: 'a tag of six bytes', bytes: '8a 80 80 80 80 00', want: 'tag out of range at 5' },
    { title: 'a tag over 32 bits', bytes: 'fa ff ff ff 1f 00', want: 'tag out of range at 5' },
    { title: 'an invalid wire type', bytes: '0e', want: 'invalid wire type 6 at 1' },
    { title: 'an unterminated group', bytes: '83 f1 02 08 01', want: 'unterminated group at 5' },
    { title: 'the end of another group', bytes: '83 f1 02 8c f1 02', want: 'unexpected end of a group at 6' },
    {
      title: 'a varint of eleven bytes',
      bytes: '80 f1 02 80 80 80 80 80 80 80 80 80 80 01',
      want: 'varint of more than ten bytes at 13',
    },
    { title: 'a length past the end', bytes: '0a 05 61', want: 'length reaches past the end of the message at 2' },
    { title: 'a length of six bytes', bytes: '0a 80 80 80 80 80 00', want: 'length out of range at 6' },
    { title: 'a message that ends in a fixed value', bytes: '85 f1 02 01', want: 'message ends inside a value at 3' },
    {
      title: 'a length past the end of a submessage',
      bytes: '1a 02 12 05 61 61 61 61 61',
      want: 'length reaches past the end of the message at 4',
    },
    {
      title: 'invalid UTF-8 in a field that gRPC does not read',
      bytes: 'e2 01 01 ff',
      want: 'invalid UTF-8 in a string at 3',
    },
    {
      title: 'a malformed submessage in a field that gRPC does not read',
      bytes: '22 02 08 80',
      want: 'message ends inside a value at 4',
    },
  ];
  for (const { title, bytes, want } of cases) {
    it(title, () => {
      const decoded = decode(Cluster, hex(bytes));
      expect(decoded.ok ? 'accepted' : `${decoded.reason} at ${decoded.offset}`).toBe(want);
    });
  }

  it('packed fields that end inside a value, decoded or only validated', () => {
    const readPorts = decode(Listener, hex('1a 06 0a 04 3a 02 80 80'));
    expect(readPorts).toEqual({ ok: false, reason: 'message ends inside a value', offset: 8 });
    const skim = (letters: string, bytes: string): string => {
      try {
        skimLeaf(new Reader(hex(bytes)), hex(bytes).length, letters);
        return 'accepted';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(skim('v', '01 80 01 7f')).toBe('accepted');
    expect(skim('v', '01 80')).toBe('message ends inside a value at byte 2');
    expect(skim('f', '00 00 00 00')).toBe('accepted');
    expect(skim('f', '00 00 00')).toBe('packed field of uneven length at byte 0');
    expect(skim('d', '00 00 00 00 00 00 00 00')).toBe('accepted');
    expect(skim('d', '00 00 00 00')).toBe('packed field of uneven length at byte 0');
    expect(skim('s', 'c3 28')).toBe('invalid UTF-8 in a string at byte 0');
    expect(skim('s', '41 c3 a9')).toBe('accepted');
  });
});

describe('decode, like upb,', () => {
  it('keeps the last member of a oneof, even if gRPC does not read it', () => {
    const endpointThenName = decode(LbEndpoint, hex('0a 00 2a 01 78'));
    expect(endpointThenName).toMatchObject({
      ok: true,
      value: { hostIdentifier: { kind: 'endpointName', value: 'x' } },
    });
  });

  it('keeps unknown enum numbers, including negative ones', () => {
    const decoded = decode(LbEndpoint, hex('10 ff ff ff ff ff ff ff ff ff 01'));
    expect(decoded).toMatchObject({ ok: true, value: { healthStatus: -1 } });
  });

  it('keeps the presence of a wrapper with a default value', () => {
    expect(decode(LbEndpoint, hex('22 00'))).toMatchObject({ ok: true, value: { loadBalancingWeight: 0 } });
    expect(decode(LbEndpoint, hex(''))).toMatchObject({ ok: true, value: { loadBalancingWeight: undefined } });
    expect(decode(LbEndpoint, hex('22 02 08 05 22 00'))).toMatchObject({ ok: true, value: { loadBalancingWeight: 5 } });
  });

  it('drops a map entry with an unknown field, keeps the last entry of a key, and uses the default for a missing value', () => {
    const entry = (key: string, rest: string): string =>
      `0a ${(rest.replaceAll(' ', '').length / 2 + 3).toString(16).padStart(2, '0')} 0a 01 ${key} ${rest}`;
    const metadata = `${entry('61', '12 00')} ${entry('62', '12 00 1a 00')} ${entry('63', '')}`;
    const length = (metadata.replaceAll(' ', '').length / 2).toString(16).padStart(2, '0');
    const decoded = decode(LbEndpoint, hex(`1a ${length} ${metadata}`));
    expect(decoded.ok && [...(decoded.value.metadata?.get(Metadata).filterMetadata.keys() ?? [])]).toEqual(['a', 'c']);
  });
});

describe('encode and decode preserve', () => {
  const struct = (fields: Record<string, Value>): Struct => ({ fields: new Map(Object.entries(fields)) });

  it('a request with all fields', () => {
    const request = DiscoveryRequest.create({
      versionInfo: 'é',
      resourceNames: ['a', '', '\u{1f600}'],
      errorDetail: { code: -5, message: 'm', details: [{ typeUrl: 't', value: new Uint8Array([1, 2]) }] },
      node: {
        id: 'n',
        cluster: '',
        metadata: struct({
          a: Value.create({ kind: { kind: 'numberValue', value: 1.5 } }),
          b: Value.create({ kind: { kind: 'boolValue', value: false } }),
        }),
        locality: { region: 'r', zone: '', subZone: 's' },
        userAgentName: 'u',
        userAgentVersionType: { kind: 'userAgentVersion', value: '' },
        clientFeatures: ['x'],
      },
    });
    expect(decode(DiscoveryRequest, encode(DiscoveryRequest, request))).toEqual({ ok: true, value: request });
  });

  it('a large response', () => {
    const value = new Uint8Array(3_000_000).fill(7);
    const response = DiscoveryResponse.create({
      nonce: 'n',
      resources: [
        { typeUrl: 'a', value },
        { typeUrl: 'b', value: new Uint8Array(0) },
      ],
    });
    const bytes = encode(DiscoveryResponse, response);
    expect(bytes.length).toBe(3_000_000 + 1 + 4 + 3 + 1 + 4 + 2 + 3 + 3);
    const decoded = decode(DiscoveryResponse, bytes);
    const [first, second] = decoded.ok ? decoded.value.resources : [];
    expect([first?.typeUrl, second?.typeUrl, second?.value.length]).toEqual(['a', 'b', 0]);
    expect(sameBytes(first?.value ?? bytes, value)).toBe(true);
  });

  it('a CSDS response', () => {
    const response = ClientStatusResponse.create({
      config: [
        {
          node: undefined,
          xdsConfig: [],
          clientScope: 'xds:///a',
          genericXdsConfigs: [
            {
              typeUrl: 't',
              name: 'n',
              versionInfo: '1',
              xdsConfig: undefined,
              lastUpdated: { seconds: -5n, nanos: 3 },
              configStatus: 0,
              clientStatus: 5,
              isStaticResource: true,
              errorState: {
                failedConfiguration: undefined,
                lastUpdateAttempt: undefined,
                details: 'd',
                versionInfo: '2',
              },
            },
          ],
        },
      ],
    });
    expect(decode(ClientStatusResponse, encode(ClientStatusResponse, response))).toEqual({ ok: true, value: response });
  });
});

describe('random bytes', () => {
  it('are decoded or rejected without an exception', () => {
    for (const type of [Cluster, Listener, DiscoveryResponse, Value]) {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 80 }),
          (bytes) => typeof decode(type as typeof Cluster, bytes).ok === 'boolean',
        ),
        { numRuns: 2000 },
      );
    }
  });

  it('have a resource name or an empty one', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => typeof resourceName(bytes) === 'string'));
    expect(resourceName(hex('10 05 0a 02 68 69'))).toBe('hi');
    expect(resourceName(hex('0a 02 68 69 0e'))).toBe('hi');
    expect(resourceName(hex('0a 01 ff'))).toBe('');
  });
});

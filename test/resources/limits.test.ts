import { describe, expect, it } from 'vitest';
import { MAX_NACK_LENGTH } from '../../src/base/limits.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { validateResponse } from '../../src/resources/validate-response.js';
import { CONTEXT } from './context.js';
import { bytesOf } from './validate.js';

const MIB = 1024 * 1024;

function respond(type: keyof typeof RESOURCE_TYPES, ...values: Uint8Array[]) {
  const typeUrl = RESOURCE_TYPES[type];
  const resources = values.map((value) => ({ typeUrl, value }));
  return validateResponse(DiscoveryResponse.create({ typeUrl, resources }), CONTEXT);
}

const CLUSTER = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

/** Encodes a length-delimited field. */
function around(field: number, inside: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = inside.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  const out = new Uint8Array(1 + length.length + inside.length);
  out.set([field * 8 + 2, ...length]);
  out.set(inside, 1 + length.length);
  return out;
}

describe('validateResponse with extreme input', () => {
  it('rejects a name of 64 MiB', () => {
    const name = new Uint8Array(64 * MIB).fill(0x61);
    const { verdict, nack } = respond('CDS', around(1, name));
    expect(verdict).toBe('NACK');
    expect(nack).toHaveLength(
      64 * MIB +
        'xDS response validation errors: [resource index 0: : INVALID_ARGUMENT: errors validating Cluster resource: [field:type error:unknown discovery type]]'
          .length,
    );
  });

  it('accepts 200,000 localities with as many priorities', () => {
    const endpoint = bytesOf('EDS', {
      cluster_name: 'e',
      endpoints: Array.from({ length: 200_000 }, (_, i) => ({ locality: {}, load_balancing_weight: 1, priority: i })),
    });
    expect(respond('EDS', endpoint).verdict).toBe('ACK');
  });

  it('rejects the largest priority and weight', () => {
    const locality = { locality: {}, load_balancing_weight: 4294967295, priority: 4294967295 };
    const { nack } = respond('EDS', bytesOf('EDS', { cluster_name: 'e', endpoints: [locality] }));
    expect(nack).toContain('endpoints[0].priority error:priority 4294967295 >= number of localities (1)');
  });

  it('rejects a value that is nested 2,000 levels deep', () => {
    let inside: Uint8Array = new Uint8Array(0);
    // A Value with a list with a Value …
    for (let depth = 0; depth < 2000; depth++) inside = around(6, around(1, inside));
    const metadata = around(
      1,
      new Uint8Array([
        ...around(1, new Uint8Array([0x6b])),
        ...around(2, around(1, new Uint8Array([...around(1, new Uint8Array([0x61])), ...around(2, inside)]))),
      ]),
    );
    expect(
      respond('CDS', new Uint8Array([...bytesOf('CDS', CLUSTER), 0xca, 0x01, ...around(1, metadata).subarray(1)])).nack,
    ).toBe("xDS response validation errors: [resource index 0: INVALID_ARGUMENT: Can't parse Cluster resource.]");
  });

  it.each([
    ['zero bytes', new Uint8Array(0), 'unknown discovery type'],
    ['a zero byte', new Uint8Array([0]), "Can't parse Cluster resource."],
    ['0xff bytes', new Uint8Array(1000).fill(255), "Can't parse Cluster resource."],
    ['invalid UTF-8', around(1, new Uint8Array([0xff])), "Can't parse Cluster resource."],
  ])('rejects a cluster of %s', (_, bytes, message) => {
    expect(respond('CDS', bytes).nack).toContain(message);
  });

  it('rejects a wrong type and an empty type', () => {
    const resources = [
      { typeUrl: RESOURCE_TYPES.EDS, value: new Uint8Array(0) },
      { typeUrl: '', value: new Uint8Array(0) },
    ];
    const { nack } = validateResponse(DiscoveryResponse.create({ typeUrl: RESOURCE_TYPES.CDS, resources }), CONTEXT);
    expect(nack).toContain(
      'resource index 1: incorrect resource type "" (should be "envoy.config.cluster.v3.Cluster")',
    );
  });

  it('lists each of 10,000 invalid resources', () => {
    const bad = Array.from({ length: 10_000 }, (_, i) => bytesOf('CDS', { name: `c${i}` }));
    expect(respond('CDS', ...bad).nack?.match(/resource index/g)).toHaveLength(10_000);
  });
});

/** A response with this many empty resources: two bytes each. */
function emptyResources(count: number) {
  const typeUrl = RESOURCE_TYPES.CDS;
  const bytes = Buffer.concat([Buffer.alloc(count * 2, Buffer.from([0x12, 0])), around(4, Buffer.from(typeUrl))]);
  const decoded = decode(DiscoveryResponse, bytes);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

const WRONG_TYPE = 'incorrect resource type "" (should be "envoy.config.cluster.v3.Cluster")';

describe('the NACK of a response with very many errors', () => {
  const nackOf = (count: number): string => validateResponse(emptyResources(count), CONTEXT).nack ?? '';
  const texts = (count: number): string =>
    Array.from({ length: count }, (_, i) => `resource index ${i}: ${WRONG_TYPE}`).join('; ');

  it('is that of C-core if a server with the default limit can receive it', () => {
    expect(nackOf(40_000)).toBe(`xDS response validation errors: [${texts(40_000)}]`);
  });

  it('ends after a complete error with the number of others if it is longer', () => {
    const nack = nackOf(100_000);
    const [, listed = '', omitted] =
      /^xDS response validation errors: \[(.*); (\d+) more errors omitted\]$/.exec(nack) ?? [];
    const count = 100_000 - Number(omitted);
    expect(listed).toBe(texts(count));
    expect(nack.length).toBeLessThanOrEqual(MAX_NACK_LENGTH + 100);
    expect(count).toBeGreaterThan(40_000);
  });
});

describe('a resource with very many parts', () => {
  const hosts = (count: number): Uint8Array => Buffer.alloc(count * 2, Buffer.from([0x12, 0]));

  it('is rejected with the errors of C-core, sorted by path', () => {
    const { nack } = respond('RDS', hosts(20_000));
    const paths = Array.from({ length: 20_000 }, (_, i) => `virtual_hosts[${i}].domains`).sort();
    const errors = paths.map((path) => `field:${path} error:must be non-empty`).join('; ');
    expect(nack).toBe(
      `xDS response validation errors: [resource index 0: : INVALID_ARGUMENT: errors validating RouteConfiguration resource: [${errors}]]`,
    );
  });

  it('has a bounded message and a bounded list of problems', () => {
    const { nack = '', resources } = respond('RDS', hosts(250_000));
    const [result] = resources.map((one) => one.result);
    expect(nack).toMatch(/^.{200}.*; \d+ more errors omitted\]\]$/s);
    expect(nack.length).toBeLessThanOrEqual(MAX_NACK_LENGTH + 300);
    expect(result?.ok === false && result.problems.length).toBe(1001);
    expect(result?.ok === false && result.problems.at(-1)?.reason).toMatch(/^\d+ more errors are not listed$/);
  });

  it('lists a bounded number of ignored parts', () => {
    const localities = Buffer.alloc(20_000, Buffer.from([0x12, 0]));
    const [resource] = respond('EDS', localities).resources;
    expect(resource?.result?.ignored).toHaveLength(1001);
    expect(resource?.result?.ignored.at(-1)?.reason).toBe('9000 more parts that gRPC ignores are not listed');
  });

  it('is not read completely if C-core would not receive it', () => {
    const route = around(3, Buffer.from([0x0a, 2, 0x0a, 0, 0x92, 1, 0]));
    const host = around(2, Buffer.concat([Buffer.from([0x12, 1, 0x2a]), Buffer.alloc(500_000 * route.length, route)]));
    const { nack } = respond('RDS', Buffer.concat([Buffer.from([0x0a, 1, 0x72]), host]));
    expect(nack).toContain('resource index 0: r: INVALID_ARGUMENT: xds-inspect reads at most 400000 parts');
  });

  it('is not read after 200,000 errors', () => {
    const [result] = respond('RDS', hosts(300_000)).resources.map((one) => one.result);
    const omitted = 200_000 - 1000;
    expect(result?.ok === false && result.problems.at(-1)?.reason).toBe(`${omitted} more errors are not listed`);
  });

  it('is accepted if it is a load assignment with 1,100,000 endpoints', () => {
    // Without an address, because gRPC does not use it: this test is about the number of endpoints.
    const unhealthy = Buffer.alloc(1_100_000 * 4, around(2, Buffer.from([0x10, 2])));
    const locality = [around(1, Buffer.alloc(0)), unhealthy, around(3, Buffer.from([8, 1]))];
    const assignment = Buffer.concat([around(1, Buffer.from('c')), around(2, Buffer.concat(locality))]);
    expect(assignment.length).toBeGreaterThan(4 * MIB);
    expect(respond('EDS', assignment).nack).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
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

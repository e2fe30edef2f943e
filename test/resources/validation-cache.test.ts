import { describe, expect, it } from 'vitest';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { validateResponse } from '../../src/resources/validate-response.js';
import { ValidationCache } from '../../src/resources/validation-cache.js';
import { CONTEXT } from './context.js';
import { bytesOf } from './validate.js';

const eds = (name: string, weight = 1): Uint8Array =>
  bytesOf('EDS', { cluster_name: name, endpoints: [{ locality: {}, load_balancing_weight: weight }] });
const typeUrl = RESOURCE_TYPES.EDS;
const respond = (memory: ValidationCache | undefined, ...values: Uint8Array[]) =>
  validateResponse(
    DiscoveryResponse.create({ typeUrl, resources: values.map((value) => ({ typeUrl, value })) }),
    CONTEXT,
    memory,
  ).resources.map(({ result: verdict }) => verdict);

describe('bytes that were judged before', () => {
  it('get the same verdict without being judged again', () => {
    const memory = new ValidationCache(() => true);
    const first = respond(memory, eds('a'), eds('b'));
    const second = respond(memory, eds('a'), eds('b'));
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toBe(first[1]);
    expect(respond(undefined, eds('a'))[0]).not.toBe(first[0]);
  });

  it('are found in another place of the response, and a change is judged', () => {
    const memory = new ValidationCache(() => true);
    const [a, b] = respond(memory, eds('a'), eds('b'));
    const again = respond(memory, eds('b'), eds('a', 2), eds('c'));
    expect(again[0]).toBe(b);
    expect(again[1]).not.toBe(a);
    expect(again[1]).toMatchObject({ ok: true, name: 'a' });
  });

  it('may have long names, or none', () => {
    const memory = new ValidationCache(() => true);
    const long = 'x'.repeat(300);
    const first = respond(memory, eds(long), eds(''));
    expect(respond(memory, eds(long), eds(''))).toEqual(first);
  });
});

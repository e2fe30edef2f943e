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
const respond = (cache: ValidationCache | undefined, ...values: Uint8Array[]) =>
  validateResponse(
    DiscoveryResponse.create({ typeUrl, resources: values.map((value) => ({ typeUrl, value })) }),
    CONTEXT,
    cache,
  ).resources.map(({ result }) => result);

describe('ValidationCache', () => {
  it('returns the cached result for the same bytes', () => {
    const cache = new ValidationCache(() => true);
    const first = respond(cache, eds('a'), eds('b'));
    const second = respond(cache, eds('a'), eds('b'));
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toBe(first[1]);
    expect(respond(undefined, eds('a'))[0]).not.toBe(first[0]);
  });

  it('finds a resource at another index, and validates a changed one', () => {
    const cache = new ValidationCache(() => true);
    const [a, b] = respond(cache, eds('a'), eds('b'));
    const again = respond(cache, eds('b'), eds('a', 2), eds('c'));
    expect(again[0]).toBe(b);
    expect(again[1]).not.toBe(a);
    expect(again[1]).toMatchObject({ ok: true, name: 'a' });
  });

  it('gives an unchanged resource its index in each response', () => {
    const cache = new ValidationCache(() => true);
    const indexes = (...values: Uint8Array[]) =>
      validateResponse(
        DiscoveryResponse.create({ typeUrl, resources: values.map((value) => ({ typeUrl, value })) }),
        CONTEXT,
        cache,
      ).resources.map(({ index, name }) => [index, name]);
    indexes(eds('a'), eds('b'));
    expect(indexes(eds('b'), eds('b'), eds('a'))).toEqual([
      [0, 'b'],
      [1, 'b'],
      [2, 'a'],
    ]);
  });

  it('supports long names and empty names', () => {
    const cache = new ValidationCache(() => true);
    const long = 'x'.repeat(300);
    const first = respond(cache, eds(long), eds(''));
    expect(respond(cache, eds(long), eds(''))).toEqual(first);
  });
});

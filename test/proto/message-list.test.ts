import { describe, expect, it } from 'vitest';
import { finish, SLICE_BYTES } from '../../src/base/slices.js';
import { RouteConfiguration } from '../../src/proto/generated/envoy.config.route.v3.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode, decodeInSlices } from '../../src/proto/message-type.js';
import { MessageList } from '../../src/proto/wire/message-list.js';
import { field } from '../../tools/faults/limits/shapes.js';

const COUNT = 25_000;

function hostNames(parts: readonly Buffer[]): string[] {
  const decoded = decode(RouteConfiguration, Buffer.concat(parts));
  if (!decoded.ok) throw new Error(decoded.reason);
  expect(decoded.value.virtualHosts).toBeInstanceOf(MessageList);
  expect(decoded.value.virtualHosts.length).toBe(parts.filter((part) => part[0] !== 0x78).length);
  return decoded.value.virtualHosts.map(({ name }) => name);
}

const host = (i: number): Buffer => field(2, field(1, `h${i}`));
const names = Array.from({ length: COUNT }, (_, i) => `h${i}`);

describe('a list of very many messages', () => {
  it('keeps its elements and their order', () => {
    expect(hostNames(names.map((_, i) => host(i)))).toEqual(names);
  });

  it('keeps elements between other fields', () => {
    const parts = names.flatMap((_, i) => (i % 3 === 0 ? [Buffer.from([0x78, 1]), host(i)] : [host(i)]));
    expect(hostNames(parts)).toEqual(names);
  });

  it('keeps elements with overlong tags', () => {
    const overlong = (part: Buffer): Buffer => Buffer.concat([Buffer.from([0x92, 0x80, 0]), part.subarray(1)]);
    expect(hostNames(names.map((_, i) => (i % 2 === 0 ? overlong(host(i)) : host(i))))).toEqual(names);
  });

  it('is rejected if an element that is decoded later is malformed', () => {
    const bad = field(2, field(1, Buffer.from([0xff])));
    const decoded = decode(RouteConfiguration, Buffer.concat([...names.map((_, i) => host(i)), bad]));
    expect(decoded.ok).toBe(false);
  });
});

describe('decoding in slices', () => {
  const resource = field(2, Buffer.concat([field(1, 'type'), field(2, 'v')]));
  const large = Buffer.concat([field(1, '7'), Buffer.alloc(resource.length * 200_000, resource), field(5, 'n')]);

  function slicesOf(bytes: Uint8Array) {
    const slices = decodeInSlices(DiscoveryResponse, bytes);
    let count = 1;
    for (;;) {
      const { done, value } = slices.next();
      if (done) return { count, decoded: value };
      count++;
    }
  }

  it('ends a slice after a bounded number of bytes and gives the result of decoding at once', () => {
    const { count, decoded } = slicesOf(large);
    expect(count).toBe(Math.ceil(large.length / SLICE_BYTES));
    const whole = decode(DiscoveryResponse, large);
    if (!decoded.ok || !whole.ok) throw new Error('not decoded');
    expect({ ...decoded.value, resources: decoded.value.resources.length }).toEqual({
      ...whole.value,
      resources: whole.value.resources.length,
    });
    expect(decoded.value.resources.length).toBe(200_000);
  });

  it.each([
    ['a malformed element', field(2, Buffer.from([0x0a, 9, 1]))],
    ['a cut field', Buffer.from([0x12, 100, 1])],
    ['the end of a group', Buffer.from([0x74])],
    ['field number 0', Buffer.from([2])],
  ])('reports the same error for %s', (_what, bad) => {
    const bytes = Buffer.concat([large.subarray(0, -3), bad]);
    const whole = decode(DiscoveryResponse, bytes);
    expect(whole.ok).toBe(false);
    expect(finish(decodeInSlices(DiscoveryResponse, bytes))).toEqual(whole);
  });
});

import { describe, expect, it } from 'vitest';
import { xxh64 } from '../../src/base/xxh64.js';
import type { RouteAction } from '../../src/resources/route-action.js';
import { requestHash } from '../../src/routing/request-hash.js';
import { acceptedJson } from '../resources/validate.js';

const hashOf = (text: string): bigint => xxh64(new TextEncoder().encode(text));

describe('xxh64', () => {
  it.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
    ['The quick brown fox jumps over the lazy dog', 0x0b242d361fda71bcn],
  ])('of "%s"', (text, hash) => expect(hashOf(text)).toBe(hash));
});

function action(...policies: object[]): RouteAction {
  const resource = acceptedJson('RDS', {
    name: 'r',
    virtual_hosts: [
      { domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: 'c', hash_policy: policies } }] },
    ],
  });
  const found = resource.type === 'RDS' ? resource.value.virtualHosts[0]?.routes[0]?.action : undefined;
  if (found?.kind !== 'route') throw new Error('no route');
  return found;
}

describe('the hash of a call', () => {
  const call = {
    path: '/s/m',
    metadata: [
      ['user', 'ann'],
      ['user', 'bob'],
      ['id', 'x-17'],
    ] as [string, string][],
  };
  const header = (name: string, rest: object = {}): object => ({ header: { header_name: name, ...rest } });
  const rotated = (hash: bigint): bigint => ((hash << 1n) | (hash >> 63n)) & 0xffff_ffff_ffff_ffffn;

  it('is the hash of a header with all its values; undefined if the header is absent (R9.5)', () => {
    expect(requestHash(action(header('user')), call, 0n)).toBe(hashOf('ann,bob'));
    expect(requestHash(action(header('absent')), call, 0n)).toBeUndefined();
    expect(requestHash(action(), call, 0n)).toBeUndefined();
  });

  it('is the hash of the header after regex_rewrite', () => {
    const rewrite = { regex_rewrite: { pattern: { regex: 'x-(\\d+)' }, substitution: 'n\\1$' } };
    expect(requestHash(action(header('id', rewrite)), call, 0n)).toBe(hashOf('n17$'));
  });

  it('combines several policies, up to a terminal one with a result (R9.6)', () => {
    const both = rotated(hashOf('ann,bob')) ^ hashOf('x-17');
    expect(requestHash(action(header('user'), header('id')), call, 0n)).toBe(both);
    expect(requestHash(action({ ...header('user'), terminal: true }, header('id')), call, 0n)).toBe(hashOf('ann,bob'));
    expect(requestHash(action({ ...header('absent'), terminal: true }, header('id')), call, 0n)).toBe(hashOf('x-17'));
    const channel = { filter_state: { key: 'io.grpc.channel_id' } };
    expect(requestHash(action(channel), call, 42n)).toBe(42n);
  });
});

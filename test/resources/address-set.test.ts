import { describe, expect, it } from 'vitest';
import { AddressSet } from '../../src/resources/common/address-set.js';
import type { IpAddress } from '../../src/resources/common/ip-address.js';

const v4 = (address: number, port = 80): IpAddress => ({ family: 4, v4: address, port });
const v6 = (last: number, port = 80, zone = 0): IpAddress => ({
  family: 6,
  bytes: [...Array.from({ length: 15 }, () => 0), last],
  port,
  zone,
});

describe('AddressSet', () => {
  it.each([2, 15, 16, 17, 100, 1000])('finds duplicates among %i addresses by address and port', (count) => {
    const set = new AddressSet();
    const all = Array.from({ length: count }, (_, i) => v4(0xffff0000 - i * 0x10000));
    expect(all.map((address) => set.add(address))).toEqual(all.map(() => true));
    expect(all.map((address) => set.add({ ...address }))).toEqual(all.map(() => false));
    const otherPorts = all.map((address) => ({ ...address, port: 81 }));
    expect(otherPorts.map((address) => set.add(address))).toEqual(all.map(() => true));
    expect(otherPorts.map((address) => set.add(address))).toEqual(all.map(() => false));
    expect(set.add({ ...(all[0] as IpAddress), port: 82 })).toBe(true);
  });

  it('finds duplicates among thousands of addresses with the same hash', () => {
    const set = new AddressSet();
    // The hash combines the upper half of the address with the port.
    const all = Array.from({ length: 5000 }, (_, i) => v4((i + 1) * 0x10000, i));
    expect(all.every((address) => set.add(address))).toBe(true);
    expect(all.some((address) => set.add({ ...address }))).toBe(false);
    expect(set.add(v4(5001 * 0x10000, 5000))).toBe(true);
  });

  it('distinguishes IPv6 addresses by port and zone', () => {
    const set = new AddressSet();
    expect([v6(1), v6(2), v6(1, 81), v6(1, 80, 3), v6(1)].map((one) => set.add(one))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});

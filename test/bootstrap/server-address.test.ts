import { describe, expect, it } from 'vitest';
import { unusableAddress } from '../../src/bootstrap/server-address.js';

/** Addresses to which channels of gRPC C-core (grpcio 1.85.1) connect, or try to. */
const USABLE = [
  '127.0.0.1:1',
  'localhost',
  'localhost:',
  'localhost:1',
  'localhost:http',
  'localhost:000001',
  'localhost:1?x=y',
  'dns:localhost:1',
  'dns:///localhost:1',
  'dns:///localhost:1#x',
  'dns:///trafficdirector.googleapis.com',
  'dns://127.0.0.1:1/localhost:1',
  '::1',
  '[::1]',
  '[::1]:1',
  'ipv4:127.0.0.1:1',
  'ipv4:127.0.0.1:1,127.0.0.2:2',
  'ipv4:///127.0.0.1:1',
  'ipv6:[::1]:1',
  'ipv6:%5B::1%5D:1',
  'unix:relative',
  'unix:///path',
  'unix-abstract:x',
];

/** Addresses for which C-core creates no channel: "the target uri is not valid". */
const WITHOUT_CHANNEL = [
  '',
  'ipv4:not-an-address',
  'ipv4:127.0.0.1',
  'ipv4:127.0.0.1:99999',
  'ipv4:127.0.0.1:abc',
  'ipv4:127.0.0.1:1,127.0.0.2',
  'ipv4://127.0.0.1:1',
  'ipv4:[::1]:1',
  'ipv6:zzz',
  'ipv6:::1',
  'ipv6:[::1]',
  'ipv6:[::1]:99999',
  'unix://host/path',
  'dns:',
  'dns:///',
  'dns://localhost:1',
];

/** Addresses whose channel never connects in C-core, or connects to another port. */
const WITHOUT_CONNECTION = [
  'unix:',
  'unix://',
  'unix-abstract:',
  'ipv4:',
  'ipv4:127.0.0.1:0',
  'localhost:abc',
  'localhost:1/path',
  'localhost:65536',
  '127.0.0.1:99999',
  '127.0.0.1:-1',
  '127.0.0.1:0',
  ':1',
  'dns:///:1',
  'dns:////localhost:1',
  'dns://not-an-ip/localhost:1',
  'a b:1',
  ' localhost:1',
  '%zz:1',
  '[::1',
];

describe('unusableAddress', () => {
  for (const uri of USABLE) it(`accepts ${uri}`, () => expect(unusableAddress(uri)).toBeUndefined());

  for (const uri of WITHOUT_CHANNEL)
    it(`reports that C-core creates no channel to "${uri}"`, () =>
      expect(unusableAddress(uri)).toMatchObject({ hasNoChannel: true }));

  for (const uri of WITHOUT_CONNECTION)
    it(`reports that no channel connects to "${uri}"`, () =>
      expect(unusableAddress(uri)).toMatchObject({ hasNoChannel: false }));

  it('names the invalid part of the address', () => {
    expect(unusableAddress('ipv4:not-an-address')?.reason).toBe('not-an-address is not an IPv4 address with a port');
    expect(unusableAddress('unix:')?.reason).toBe('the path of the Unix socket is empty');
    expect(unusableAddress('localhost:abc')?.reason).toBe('the port "abc" is not a number');
  });
});

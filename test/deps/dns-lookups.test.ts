import { describe, expect, it } from 'vitest';
import { statusTexts } from '../../src/core/status-texts/index.js';
import { DnsLookups } from '../../src/deps/dns-lookups.js';

function lookups(...hosts: string[]) {
  const queries: string[] = [];
  const dns = new DnsLookups(
    (host) => queries.push(host),
    () => 0.5,
    true,
    statusTexts('c-core'),
  );
  dns.setHosts(new Map(hosts.map((host) => [host, { host, port: 80 }])));
  return { dns, queries };
}

describe('DNS queries', () => {
  it('are not repeated while the first one has no result', () => {
    const { dns, queries } = lookups('a');
    dns.tick(60_000);
    expect(queries).toEqual(['a']);
  });

  it('are not repeated before the refresh interval has passed', () => {
    const { dns, queries } = lookups('a');
    dns.onResolved(1, { addresses: ['10.0.0.1:80'] }, 0);
    dns.tick(29_999);
    expect(queries).toEqual(['a']);
    dns.tick(30_000);
    expect(queries).toEqual(['a', 'a']);
  });

  it('have the result of their own host', () => {
    const { dns } = lookups('a', 'b');
    expect(dns.onResolved(2, { addresses: ['10.0.0.1:80'] }, 0)).toBe('b');
    expect([dns.get('a'), dns.get('b')?.note]).toEqual([undefined, '']);
  });
});

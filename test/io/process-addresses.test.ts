import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dns } from '../../src/engine/ports.js';
import { processAddresses } from '../../src/io/process-addresses.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { temporaryFolder } from '../support/clean-up.js';

const dns: Dns = {
  resolve: async (host, port) => {
    if (host === 'workers') return { addresses: [`10.0.0.2:${port}`, `10.0.0.1:${port}`, `10.0.0.2:${port}`] };
    if (host === 'dual') return { addresses: [`10.0.0.1:${port}`, `[::1]:${port}`] };
    if (host === 'v6') return { addresses: [`10.0.0.1:${port}`, `[::1]:${port}`, `[::2]:${port}`] };
    if (host === 'slow') return await new Promise(() => {});
    return { failure: 'ENOTFOUND' };
  },
};

function list(text: string): string {
  const path = join(temporaryFolder(), 'list.txt');
  writeFileSync(path, text);
  return path;
}

async function read(given: string[], stdin = '') {
  const clock = new VirtualClock(0);
  const reading = processAddresses(given, { readStdin: async () => new TextEncoder().encode(stdin), clock }, dns);
  reading.catch(() => {});
  await new Promise(setImmediate);
  clock.advanceBy(60_000);
  const { addresses, remarks } = await reading;
  return { addresses: addresses.map(({ address }) => address), all: addresses, remarks };
}

describe('addresses of processes', () => {
  it('come from files with comments and blank lines, and from stdin', async () => {
    const path = list('# workers\n10.0.0.1:1  # first\n\n  unix:/run/a#1.sock\r\nistio:10.0.0.9:15010\n');
    expect((await read([`@${path}`, 'b:1', '-'], 'c:1\n')).addresses).toEqual([
      '10.0.0.1:1',
      'unix:/run/a#1.sock',
      'istio:10.0.0.9:15010',
      'b:1',
      'c:1',
    ]);
    expect((await read(['@-'], 'c:1')).addresses).toEqual(['c:1']);
  });

  it('that are invalid are all reported at once, with file and line', async () => {
    const path = list('a:1\nnonsense\nb:99999\nistio:x\n');
    await expect(read([`@${path}`])).rejects.toMatchObject({
      exitCode: 65,
      message: [
        `${path}:2: invalid address "nonsense": use host:port or unix:/path`,
        `${path}:3: invalid address "b:99999": use host:port or unix:/path`,
        `${path}:4: invalid address "istio:x": use istio:host:port`,
      ].join('\n'),
    });
    await expect(read(['x', `@${path}`])).rejects.toMatchObject({
      exitCode: 64,
      message: expect.stringMatching(/^invalid address "x": .*\n.*:2: invalid/),
    });
    await expect(read([`@${list('# nothing\n')}`])).rejects.toMatchObject({
      message: expect.stringContaining('it contains no address'),
    });
    await expect(read(['@/nowhere'])).rejects.toMatchObject({
      exitCode: 65,
      message: expect.stringContaining('/nowhere'),
    });
    await expect(read(['@'])).rejects.toMatchObject({ exitCode: 64 });
  });

  it('of a name with several addresses are each read, with the name for TLS', async () => {
    const { all, remarks } = await read(['workers:50051', 'istio:workers:15010']);
    expect(all).toEqual([
      { address: '10.0.0.1:50051', target: '10.0.0.1:50051', kind: 'csds', name: 'workers:50051' },
      { address: '10.0.0.2:50051', target: '10.0.0.2:50051', kind: 'csds', name: 'workers:50051' },
      { address: 'istio:10.0.0.1:15010', target: '10.0.0.1:15010', kind: 'istio', name: 'workers:15010' },
      { address: 'istio:10.0.0.2:15010', target: '10.0.0.2:15010', kind: 'istio', name: 'workers:15010' },
    ]);
    expect(remarks).toEqual([
      'workers:50051 has 2 addresses: each is read',
      'istio:workers:15010 has 2 addresses: each is read',
    ]);
    expect((await read(['dns:///workers:1'])).addresses).toEqual(['10.0.0.1:1', '10.0.0.2:1']);
  });

  it('of one process with an IPv4 and an IPv6 address are read once', async () => {
    expect((await read(['dual:1', 'v6:1'])).addresses).toEqual(['dual:1', '[::1]:1', '[::2]:1']);
  });

  it('stay names if DNS fails or does not respond', async () => {
    expect((await read(['nowhere:1', 'slow:1'])).addresses).toEqual(['nowhere:1', 'slow:1']);
  });

  it('that are given more than once are read once', async () => {
    const { addresses, remarks } = await read(['10.0.0.1:1', 'workers:1', '10.0.0.1:1']);
    expect(addresses).toEqual(['10.0.0.1:1', '10.0.0.2:1']);
    expect(remarks).toContain('1 address is given more than once and read once: 10.0.0.1:1');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

const LINUX = '/sys/class/net';

/** The network interfaces of this machine by name, with their numbers: zones of IPv6 addresses name them. */
export function interfacesByName(): ReadonlyMap<string, number> {
  try {
    return new Map(
      readdirSync(LINUX).map((name) => [name, Number(readFileSync(`${LINUX}/${name}/ifindex`, 'utf8'))] as const),
    );
  } catch {
    // Elsewhere the numbers are not to be had; that a name exists is what decides.
    return new Map(Object.keys(networkInterfaces()).map((name, i) => [name, i + 1] as const));
  }
}

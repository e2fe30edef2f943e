import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

const LINUX = '/sys/class/net';

/** The indexes of the network interfaces of this machine, by name. Zones of IPv6 addresses contain these names. */
export function interfacesByName(): ReadonlyMap<string, number> {
  try {
    return new Map(
      readdirSync(LINUX).map((name) => [name, Number(readFileSync(`${LINUX}/${name}/ifindex`, 'utf8'))] as const),
    );
  } catch {
    // Other systems do not expose the indexes. Only the existence of a name matters.
    return new Map(Object.keys(networkInterfaces()).map((name, i) => [name, i + 1] as const));
  }
}

import type { IpAddress } from './common/ip-address.js';

/** An endpoint that gRPC can connect to. */
export interface ResolvedEndpoint {
  readonly addresses: readonly IpAddress[];
  readonly health: 'unknown' | 'healthy' | 'draining';
  readonly weight: number;
  readonly hostname: string;
}

/**
 * An endpoint with one IPv4 address: nearly all of them, and a load assignment can have hundreds of thousands. An object
 * for the address and an array around it would need twice the memory of all other fields, so `addresses` creates them.
 */
export class Ipv4Endpoint implements ResolvedEndpoint {
  readonly health: ResolvedEndpoint['health'];
  readonly weight: number;
  readonly hostname: string;
  /** Public, because `sameResource` compares all fields. Signed, because V8 stores larger numbers outside the object. */
  readonly v4: number;
  readonly port: number;

  constructor(v4: number, port: number, health: ResolvedEndpoint['health'], weight: number, hostname: string) {
    this.health = health;
    this.weight = weight;
    this.hostname = hostname;
    this.v4 = v4 | 0;
    this.port = port;
  }

  get addresses(): readonly IpAddress[] {
    return [{ family: 4, v4: this.v4 >>> 0, port: this.port }];
  }
}

/** Chooses the form by the addresses alone, so that `sameResource` finds equal endpoints equal. */
export function resolvedEndpoint(
  addresses: readonly IpAddress[],
  health: ResolvedEndpoint['health'],
  weight: number,
  hostname: string,
): ResolvedEndpoint {
  const [first] = addresses;
  return addresses.length === 1 && first?.family === 4
    ? new Ipv4Endpoint(first.v4, first.port, health, weight, hostname)
    : { addresses, health, weight, hostname };
}

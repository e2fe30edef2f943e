import { getOrAdd } from '../../base/get-or-add.js';
import { type IpAddress, joinHostPort, parseIpAddress } from '../../resources/common/ip-address.js';
import type { ResourceContext } from '../../resources/context.js';
import type { EndpointResource } from '../../resources/endpoint.js';
import { type ResolvedEndpoint, resolvedEndpoint } from '../../resources/resolved-endpoint.js';
import { nodeContext } from './environment.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

type Localities = EndpointResource['priorities'][number];

const HEALTH: Readonly<Record<string, ResolvedEndpoint['health']>> = { UNKNOWN: 'unknown', HEALTHY: 'healthy' };
const FACTORS: Readonly<Record<string, number>> = { HUNDRED: 10_000, TEN_THOUSAND: 100, MILLION: 1 };

export function isUsable(endpoint: ProtobufJsMessage): boolean {
  return Object.hasOwn(HEALTH, endpoint.enumName('health_status'));
}

/**
 * The endpoints as grpc-js-xds uses them: a locality may have the weight 0, and priorities without usable endpoints are
 * skipped.
 */
export function endpointModel(message: ProtobufJsMessage, context: ResourceContext): EndpointResource {
  const priorities = new Map<number, Localities>();
  for (const group of message.messages('endpoints')) {
    const weight = group.message('load_balancing_weight');
    const locality = group.message('locality');
    const endpoints = group.messages('lb_endpoints').flatMap((one) => endpointOf(one, context));
    if (weight === undefined || locality === undefined || endpoints.length === 0) continue;
    const name = { region: locality.text('region'), zone: locality.text('zone'), subZone: locality.text('sub_zone') };
    getOrAdd<number, Localities>(priorities, group.number('priority'), () => []).push({
      name,
      weight: weight.number('value'),
      endpoints,
    });
  }
  return {
    priorities: [...priorities].sort(([a], [b]) => a - b).map(([, localities]) => localities),
    drops: dropsOf(message.message('policy')),
  };
}

/** Returns nothing for an endpoint that gets no load. */
function endpointOf(lbEndpoint: ProtobufJsMessage, context: ResourceContext): ResolvedEndpoint[] {
  const health = HEALTH[lbEndpoint.enumName('health_status')];
  const endpoint = lbEndpoint.message('endpoint');
  if (health === undefined || endpoint === undefined) return [];
  const others = nodeContext(context).switches.dualstackEndpoints ? endpoint.messages('additional_addresses') : [];
  const addresses = [endpoint, ...others].flatMap((one) => addressOf(one, context));
  const weight = lbEndpoint.message('load_balancing_weight')?.number('value') ?? 1;
  return addresses.length === 0 ? [] : [resolvedEndpoint(addresses, health, weight, endpoint.text('hostname'))];
}

/** Returns nothing for an address that cannot be connected to: an unknown zone, or a port above 65535. */
function addressOf(holder: ProtobufJsMessage, { interfaces }: ResourceContext): IpAddress[] {
  const socket = holder.message('address')?.message('socket_address');
  if (socket === undefined) return [];
  const address = parseIpAddress(joinHostPort(socket.text('address'), socket.number('port_value')), interfaces);
  return address === undefined ? [] : [address];
}

/** A drop without percentage is skipped. */
function dropsOf(policy: ProtobufJsMessage | undefined): EndpointResource['drops'] {
  return (policy?.messages('drop_overloads') ?? []).flatMap((drop) => {
    const percentage = drop.message('drop_percentage');
    if (percentage === undefined) return [];
    const factor = FACTORS[percentage.enumName('denominator')] ?? 0;
    return { category: drop.text('category'), perMillion: percentage.number('numerator') * factor };
  });
}

import { ipLiteral } from './ip-literal.js';
import { illegalArgument, invalid, JavaError, within } from './java-error.js';
import { checkMetadata } from './metadata.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';
import { textFormat } from './text-format.js';

/** Validates a ClusterLoadAssignment. */
export function validateEndpoints(assignment: ProtoMessage, settings: Settings): void {
  const priorities = new Map<number, Set<string>>();
  let maxPriority = -1;
  for (const [index, locality] of assignment.messages('endpoints').entries()) {
    if (isUnused(locality)) continue;
    within(['endpoints', index], () => {
      checkLocality(locality, settings);
      const priority = locality.int('priority');
      maxPriority = Math.max(maxPriority, priority);
      const name = localityName(locality.message('locality'));
      const names = priorities.get(priority) ?? new Set();
      if (names.has(name)) invalid(`ClusterLoadAssignment has duplicate locality:${name} for priority:${priority}`);
      priorities.set(priority, names.add(name));
    });
  }
  if (priorities.size !== maxPriority + 1) invalid('ClusterLoadAssignment has sparse priorities');
  for (const [index, drop] of assignment.message('policy').messages('drop_overloads').entries())
    within(['policy', 'drop_overloads', index, 'drop_percentage'], () => {
      const percent = drop.message('drop_percentage');
      if (percent.enumName('denominator') === 'UNRECOGNIZED')
        illegalArgument(`Unknown denominator type of ${textFormat(percent)}`);
    });
}

/** grpc-java reads weights as signed numbers and skips localities whose weight is not positive. */
function isUnused(locality: ProtoMessage): boolean {
  return locality.message('load_balancing_weight').int('value') < 1;
}

function localityName(locality: ProtoMessage): string {
  const [region, zone, subZone] = ['region', 'zone', 'sub_zone'].map((name) => locality.string(name));
  return `Locality{region=${region}, zone=${zone}, subZone=${subZone}}`;
}

function checkLocality(locality: ProtoMessage, settings: Settings): void {
  if (locality.int('priority') < 0) invalid('negative priority');
  checkMetadata(locality.message('metadata'), 'Failed to parse Locality Endpoint metadata');
  for (const [index, endpoint] of locality.messages('lb_endpoints').entries())
    within(['lb_endpoints', index], () => checkEndpoint(endpoint, settings));
}

function checkEndpoint(lbEndpoint: ProtoMessage, settings: Settings): void {
  const endpoint = lbEndpoint.message('endpoint');
  if (!lbEndpoint.has('endpoint') || !endpoint.has('address')) invalid('LbEndpoint with no endpoint/address');
  checkMetadata(lbEndpoint.message('metadata'), 'Failed to parse Endpoint metadata');
  within(['endpoint', 'address'], () => checkAddress(endpoint.message('address'), settings));
  if (!settings.flags.dualstackEndpoints) return;
  for (const [index, additional] of endpoint.messages('additional_addresses').entries())
    within(['endpoint', 'additional_addresses', index, 'address'], () =>
      checkAddress(additional.message('address'), settings),
    );
}

function checkAddress(address: ProtoMessage, { interfaces }: Settings): void {
  const socketAddress = address.message('socket_address');
  try {
    ipLiteral(socketAddress.string('address'), interfaces);
  } catch (error) {
    if (!(error instanceof JavaError)) throw error;
    invalid(`Address is not an IP: ${error.detail}`);
  }
  const port = socketAddress.int('port_value');
  if (port < 0 || port > 65_535) illegalArgument(`port out of range:${port}`);
}

import { compareUtf8 } from '../../base/utf8-order.js';
import type { MessageView } from '../message-view.js';
import type { GoContext } from './go-context.js';
import { joinHostPort, quoted } from './go-text.js';
import { validateMetadata } from './metadata.js';
import { reject } from './rejection.js';
import { enumText, printMessage } from './text-format.js';

const MAX_WEIGHT = 0xffff_ffff;
const DENOMINATOR = 'envoy.type.v3.FractionalPercent.DenominatorType';
const DENOMINATORS = 3;

interface Priority {
  weight: number;
  localities: Set<string>;
}

export function validateEndpoints(assignment: MessageView, context: GoContext): void {
  for (const drop of assignment.message('policy')?.messages('drop_overloads') ?? []) validateDrop(drop);
  const priorities = new Map<number, Priority>();
  const addresses = new Set<string>();
  for (const locality of assignment.messages('endpoints'))
    validateLocality(locality, { priorities, addresses, context });
  for (let priority = 0; priority < priorities.size; priority++) {
    if (priorities.has(priority)) continue;
    const received = `with different priorities ${shownPriorities(priorities)} received`;
    reject(assignment, `priority ${priority} missing (${received})`, 'endpoints');
  }
}

function validateDrop(drop: MessageView): void {
  const denominator = drop.message('drop_percentage')?.number('denominator') ?? 0;
  if (denominator >= 0 && denominator < DENOMINATORS) return;
  const shown = enumText(DENOMINATOR, denominator);
  reject(drop, `EDS response contains a drop policy with unsupported denominator: ${shown}`, 'drop_percentage');
}

/** What the localities have in common. */
interface Assignment {
  priorities: Map<number, Priority>;
  addresses: Set<string>;
  context: GoContext;
}

function validateLocality(locality: MessageView, { priorities, addresses, context }: Assignment): void {
  const id = locality.message('locality');
  if (id === undefined)
    reject(locality, `EDS response contains a locality without ID, locality: ${printMessage(locality)}`, 'locality');
  const weight = locality.message('load_balancing_weight')?.number('value') ?? 0;
  if (weight === 0) return;
  const number = locality.number('priority');
  const priority = priorities.get(number) ?? { weight: 0, localities: new Set() };
  priority.weight += weight;
  if (priority.weight > MAX_WEIGHT) {
    const message = `sum of weights of localities at the same priority ${number} exceeded maximal value`;
    reject(locality, message, 'load_balancing_weight');
  }
  priorities.set(number, priority);
  const name = localityName(id);
  if (priority.localities.has(name))
    reject(locality, `duplicate locality ${name} with the same priority ${number}`, 'locality');
  priority.localities.add(name);
  validateLocalityEndpoints(locality, addresses, context);
  if (context.switches.httpConnect) validateMetadata(locality.message('metadata'), context);
}

function localityName(id: MessageView): string {
  const fields = ['region', 'zone', 'sub_zone'].map((field) => `${field}=${quoted(id.text(field))}`);
  return `{${fields.join(', ')}}`;
}

function validateLocalityEndpoints(locality: MessageView, addresses: Set<string>, context: GoContext): void {
  const { switches } = context;
  let total = 0;
  for (const lbEndpoint of locality.messages('lb_endpoints')) {
    const weight = lbEndpoint.message('load_balancing_weight')?.number('value') ?? 1;
    if (weight === 0)
      reject(lbEndpoint, `EDS response contains an endpoint with zero weight: ${printMessage(lbEndpoint)}`);
    total += weight;
    if (total > MAX_WEIGHT) {
      const message = `sum of weights of endpoints in the same locality exceeds maximum value ${MAX_WEIGHT}`;
      reject(locality, message, 'lb_endpoints');
    }
    addAddresses(lbEndpoint, addresses, switches.dualstackEndpoints);
    if (switches.httpConnect || !switches.hashKeyCompat) validateMetadata(lbEndpoint.message('metadata'), context);
  }
}

function addAddresses(lbEndpoint: MessageView, addresses: Set<string>, hasAdditional: boolean): void {
  const endpoint = lbEndpoint.message('endpoint');
  const own = [addressText(endpoint?.message('address'))];
  if (hasAdditional)
    for (const additional of endpoint?.messages('additional_addresses') ?? [])
      own.push(addressText(additional.message('address')));
  for (const address of own) {
    if (addresses.has(address)) reject(lbEndpoint, `duplicate endpoint with the same address ${address}`, 'endpoint');
    addresses.add(address);
  }
}

/** An address without a socket address is an empty host with port 0. */
function addressText(address: MessageView | undefined): string {
  const socket = address?.message('socket_address');
  return joinHostPort(socket?.text('address') ?? '', socket?.number('port_value') ?? 0);
}

function shownPriorities(priorities: ReadonlyMap<number, Priority>): string {
  const shown = [...priorities]
    .sort(([a], [b]) => a - b)
    .map(([number, { localities }]) => {
      const names = [...localities].sort(compareUtf8).map((name) => `${name}:true`);
      return `${number}:map[${names.join(' ')}]`;
    });
  return `map[${shown.join(' ')}]`;
}

import { type Status, statusCode, statusName } from '../../base/status.js';
import type { LeafFailure, ServerFailure, StatusTexts, TargetFailure } from './status-texts.js';

const UNREACHABLE: Record<string, string> = {
  ring_hash_experimental: 'ring hash cannot find a connected endpoint; first failure: ',
  round_robin: 'connections to all backends failing; last error: ',
  // Its message contains the complete status of the failure.
  weighted_round_robin: 'connections to all backends failing; last error: UNAVAILABLE: ',
  pick_first: 'failed to connect to all addresses; last error: ',
};

export const C_CORE_TEXTS: StatusTexts = {
  serverFailure: (failure) => unavailable(`xDS channel for server ${failure.server}: ${serverReason(failure)}`),
  watcherError: ({ status: { message } }, nodeId) =>
    nodeId === undefined ? message : `${message} (node ID:${nodeId})`,
  resourceNote: (type, name, message) => `${type} resource ${name}: ${message}`,
  targetError: (failure) =>
    `${failure.by === 'listener kind' ? 'LDS' : failure.type} resource ${failure.name}: ${reasonOf(failure)}`,
  previousError: (_target, message) => message,
  targetStatus: (message) => unavailable(`empty address list (${message})`),
  noRoute: () => unavailable('No matching route found in xDS route config'),
  noAction: () => unavailable('Matching route has inappropriate action'),
  noCluster: (name) => `xDS config has no entry for static cluster ${name}`,
  clusterStatus: unavailable,
  aggregateTooDeep: () => 'aggregate cluster graph exceeds max depth',
  // C-core ignores a cluster that is already on the path.
  aggregateCycle: () => '',
  aggregateWithoutLeaves: (name) => `aggregate cluster dependency graph for ${name} has no leaf clusters`,
  dnsFailure: (key, failure) =>
    `DNS resolution failed for ${key}: UNAVAILABLE: errors resolving ${key}: [field:hostname lookup error:${failure}]`,
  nodeNote: (nodeId) => (nodeId === undefined ? '' : `xDS node ID:${nodeId}`),
  leafStatus: (failure) => unavailable(leafMessage(failure)),
  dropStatus: (category) => unavailable(`EDS-configured drop: ${category}`),
  circuitBreakerStatus: unavailable('circuit breaker drop'),
  deadlineMessage: () => 'Deadline Exceeded',
  faultStatus: (code) => ({ code, message: 'Fault injected' }),
};

function serverReason({ by, status }: ServerFailure): string {
  if (by === 'lame') return 'xds client has a lame channel';
  if (by === 'channel') return `channel in TRANSIENT_FAILURE: ${status.message}`;
  const text = status.code === 0 ? 'OK' : `${statusName(status.code)}: ${status.message}`;
  return `xDS call failed with no responses received; status: ${text}`;
}

function reasonOf(failure: TargetFailure): string {
  if (failure.by === 'resource') return failure.message;
  if (failure.by === 'listener kind') return 'not an API listener';
  return `could not find VirtualHost for ${failure.authority} in RouteConfiguration`;
}

function leafMessage({ policy, note, address }: LeafFailure): string {
  if (address !== undefined) {
    const reason = `UNKNOWN: ${address}: Failed to connect to remote host: Connection refused`;
    return `${UNREACHABLE[policy] ?? ''}${reason}${inParentheses(note)}`;
  }
  if (policy === 'wrr_locality') return `no children in weighted_target policy (${note})`;
  return policy === 'ring_hash_experimental'
    ? `empty address list: ${note}`
    : `empty address list${inParentheses(note)}`;
}

function unavailable(message: string): Status {
  return { code: statusCode('UNAVAILABLE'), message };
}

function inParentheses(note: string): string {
  return note === '' ? '' : ` (${note})`;
}

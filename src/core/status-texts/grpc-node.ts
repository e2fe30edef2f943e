import { type Status, statusCode } from '../../base/status.js';
import { C_CORE_TEXTS } from './c-core.js';
import type { LeafFailure, ResourceError, StatusTexts, TargetFailure } from './status-texts.js';

const KINDS: Record<string, string> = { LDS: 'Listener', RDS: 'RouteConfiguration', CDS: 'Cluster resource' };

export const GRPC_NODE_TEXTS: StatusTexts = {
  ...C_CORE_TEXTS,
  watcherError,
  resourceNote: (_type, _name, message) => message,
  targetError,
  targetStatus: (_message, previous) =>
    unavailable(
      previous === undefined
        ? 'No connection established. Last error: null. Resolution note: '
        : `No connection established. Last error: No addresses resolved. Resolution note: ${previous}`,
    ),
  noRoute: (path) => unavailable(`Failed to route call to method ${path}`),
  aggregateTooDeep:
    'xDS config parsing failed with error aggregate cluster graph exceeds max depth of 15 Resolution note: ',
  dnsFailure: (_key, failure) => `DNS resolution error: ${failure}`,
  leafStatus: (failure) => unavailable(leafMessage(failure)),
  dropStatus: (category) => unavailable(`Call dropped by load balancing policy. Category: ${category}`),
  deadlineMessage,
  circuitBreakerStatus: unavailable('Call dropped by load balancing policy.'),
};

/** Errors other than that a resource does not exist reach watchers as they are. */
function watcherError({ type, name, cause, status }: ResourceError): string {
  if (cause === 'channel') return 'No connection established to xDS server';
  if (cause !== 'deletion' && cause !== 'timer') return status.message;
  return `${KINDS[type] ?? type} ${name} does not exist`;
}

function targetError(failure: TargetFailure): string {
  if (failure.by === 'listener kind') return `Listener ${failure.name} does not exist`;
  if (failure.by === 'virtual host') {
    return `RouteConfiguration ${failure.name}: No matching route found for ${failure.authority}`;
  }
  const { type, name, message } = failure;
  const resource = `${KINDS[type]} ${name}`;
  return message === `${resource} does not exist` ? message : `${resource}: ${message}`;
}

function leafMessage({ policy, address }: LeafFailure): string {
  if (address === undefined) return 'priority policy has empty priority list';
  const reason = `Last error: Error: connect ECONNREFUSED ${address.replace(/^ipv[46]:/, '')}. Resolution note: `;
  const failed = `No connection established. ${reason}`;
  if (policy === 'pick_first') return failed;
  if (policy === 'ring_hash_experimental') return `ring hash: no connection established. Latest error: ${failed}`;
  const inner = `${policy}: No connection established. Last error: ${failed}`;
  return `weighted_target: all children report state TRANSIENT_FAILURE. Latest error: ${inner}`;
}

function unavailable(message: string): Status {
  return { code: statusCode('UNAVAILABLE'), message };
}

function deadlineMessage(
  waitsFor: Parameters<StatusTexts['deadlineMessage']>[0],
  isWaitForReady: boolean,
  seconds: string,
): string {
  const after = `Deadline exceeded after ${seconds}`;
  if (waitsFor === 'configuration') return `${after},waiting for name resolution`;
  if (waitsFor !== 'pick') return `${after},remote_addr=${waitsFor.address}`;
  return `${after}${isWaitForReady ? ',wait_for_ready' : ''},Waiting for LB pick`;
}

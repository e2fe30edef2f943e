import { type Status, statusCode, statusName } from '../../base/status.js';
import { C_CORE_TEXTS } from './c-core.js';
import type { LeafFailure, ResourceError, ServerFailure, StatusTexts, TargetFailure } from './status-texts.js';

const CONTEXT = /^(Aggregate cluster cycle detected|Recursion limit reached): /;

export const GRPC_JAVA_TEXTS: StatusTexts = {
  ...C_CORE_TEXTS,
  serverFailure,
  watcherError: (error, nodeId) => {
    const { code, message } = watcherStatus(error, nodeId);
    const text = `Error retrieving ${error.type} resource ${error.name} nodeID: ${nodeId ?? ''}`;
    return `${text}: ${statusName(code)}${message === '' ? '' : `: ${message}`}`;
  },
  resourceNote: (_type, _name, message) => message,
  targetError: (failure, nodeId) => targetReason(failure, nodeId),
  targetStatus: (message) => unavailable(message),
  // gRPC appends the duration and the state of the call.
  deadlineMessage: ({ waitsFor }) =>
    waitsFor === 'configuration' ? 'Deadline CallOptions was exceeded' : 'CallOptions deadline exceeded',
  noRoute: () => unavailable('Could not find xDS route matching RPC'),
  noAction: () => unavailable('Could not route RPC to Route with non-forwarding action'),
  noCluster: (name) => `CDS encountered error: unable to find available subchannel for cluster cluster:${name}`,
  clusterStatus: (message) =>
    CONTEXT.test(message) ? { code: statusCode('INTERNAL'), message } : unavailable(message),
  aggregateTooDeep: (path) => `Recursion limit reached: [${path.join(', ')}]`,
  aggregateCycle: (path) => `Aggregate cluster cycle detected: [${path.join(', ')}]`,
  dnsFailure: unresolvedText,
  nodeNote: () => '',
  leafStatus: (failure) => unavailable(leafMessage(failure)),
  dropStatus: (category) => unavailable(`Dropped: ${category}`),
  // The circuit breaker is predicted for a limit of 0 only.
  circuitBreakerStatus: unavailable('Cluster max concurrent requests limit of 0 exceeded'),
  faultStatus: (code) => ({ code, message: 'RPC terminated due to fault injection' }),
};

function serverFailure({ by, server, status }: ServerFailure): Status {
  if (by === 'lame') return unavailable(`Failed to create xds transport for ${server}: Invalid DNS name: ${server}`);
  if (by === 'channel' && status.message.includes('HTTP/2'))
    return { code: statusCode('INTERNAL'), message: 'http2 exception' };
  if (by === 'channel') return unavailable(isUnresolved(status) ? unresolvedText(server) : 'io exception');
  return status.code === 0 ? unavailable('ADS stream closed with OK before receiving a response') : status;
}

function isUnresolved({ message }: Status): boolean {
  return /lookup|resol/i.test(message);
}

function unresolvedText(address: string): string {
  return `Unable to resolve host ${address.replace(/^dns:\/*/, '').replace(/:\d+$/, '')}`;
}

function watcherStatus({ name, cause, status }: ResourceError, nodeId: string | undefined): Status {
  if (cause === 'deletion') return { code: statusCode('NOT_FOUND'), message: `Resource ${name} does not exist` };
  if (cause === 'timer') {
    return { code: status.code, message: `Timed out waiting for resource ${name} from xDS server` };
  }
  if (cause === 'bad-name') {
    const message = `Wrong configuration: xds server does not exist for resource ${name}`;
    return { code: statusCode('INVALID_ARGUMENT'), message };
  }
  return { code: status.code, message: `${status.message} nodeID: ${nodeId ?? ''}` };
}

function targetReason(failure: TargetFailure, nodeId: string | undefined): string {
  if (failure.by === 'resource') return failure.message;
  if (failure.by === 'listener kind') return `Not an API listener nodeID: ${nodeId ?? ''}`;
  return `Failed to find virtual host matching hostname: ${failure.authority}`;
}

function leafMessage({ cluster, note, address }: LeafFailure): string {
  if (address !== undefined) return 'io exception';
  return note === '' ? `No usable endpoint from cluster: ${cluster}` : note;
}

function unavailable(message: string): Status {
  return { code: statusCode('UNAVAILABLE'), message };
}

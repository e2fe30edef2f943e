import { type Status, statusCode } from '../../base/status.js';
import { C_CORE_TEXTS } from './c-core.js';
import type { LeafFailure, ResourceError, ServerFailure, StatusTexts, TargetFailure } from './status-texts.js';

/** The names of resource types in grpc-go. */
const TYPES: Record<string, string> = {
  LDS: 'ListenerResource',
  RDS: 'RouteConfigResource',
  CDS: 'ClusterResource',
  EDS: 'EndpointsResource',
};

/** Go's names of the status codes, by number. */
const CODES = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];

export const GRPC_GO_TEXTS: StatusTexts = {
  ...C_CORE_TEXTS,
  serverFailure: (failure) => unavailable(`xds: error received from xDS stream: ${streamError(failure)}`),
  watcherError: (error, nodeId) => withNode(watcherReason(error), nodeId),
  resourceNote: (_type, _name, message) => message,
  targetError,
  targetStatus: (message, _previous, nodeId) => {
    const [, wrapper = '', reason = message] = /^((?:listener|route) resource error: )?(.*)$/s.exec(message) ?? [];
    return unavailable(
      `name resolver error: ${withNode(rpcError(14, `${wrapper}${withNode(reason, nodeId)}`), nodeId)}`,
    );
  },
  noRoute: (_path, nodeId) => unavailable(withNode(rpcError(14, 'no matched route was found'), nodeId)),
  noAction: (nodeId) =>
    unavailable(withNode(rpcError(14, 'matched route does not have a supported route action type'), nodeId)),
  clusterStatus: (message, cluster, nodeId) => {
    const reason = message.startsWith('[xDS node id: ') ? message : withNode(message, nodeId);
    return unavailable(
      `failed to push new configuration &{<nil> ${cluster} false} to child "cluster:${cluster}": ${reason}`,
    );
  },
  aggregateTooDeep: () => 'aggregate cluster graph exceeds max depth (16)',
  aggregateWithoutLeaves: () => 'aggregate cluster graph has no leaf clusters',
  leafStatus: (failure) => unavailable(leafMessage(failure)),
  dropStatus: () => unavailable('RPC is dropped'),
  faultStatus: (code) => ({ code, message: 'RPC terminated due to fault injection' }),
  deadlineMessage: (_waitsFor, _isWaitForReady, _seconds, lastError) =>
    lastError === undefined ? 'context deadline exceeded' : `latest balancer error: ${lastError}`,
};

function watcherReason({ type, name, cause, status }: ResourceError): string {
  if (cause === 'deletion' || cause === 'timer')
    return `xds: resource "${name}" of type "${TYPES[type]}" has been removed`;
  if (cause !== 'bad-name') return status.message;
  const [, authority = ''] = /^xdstp:\/\/([^/]*)/.exec(name) ?? [];
  return `authority "${authority}" not found in the config for resource "${name}"`;
}

function streamError({ by, status: { code, message } }: ServerFailure): string {
  if (by === 'lame') return rpcError(14, 'name resolver error: produced zero addresses');
  return code === 0 ? 'EOF' : rpcError(code, message);
}

function targetError(failure: TargetFailure): string {
  if (failure.by === 'virtual host') return `could not find VirtualHost for "${failure.authority}"`;
  if (failure.by === 'resource') {
    return `${failure.type === 'LDS' ? 'listener' : 'route'} resource error: ${failure.message}`;
  }
  const reason = `client-side listener resource "${failure.name}" does not contain API listener configuration`;
  return `listener resource error: ${reason}`;
}

function leafMessage({ policy, address }: LeafFailure): string {
  if (address !== undefined) {
    const where = address.replace(/^ipv[46]:/, '');
    return `connection error: desc = "transport: Error while dialing: dial tcp ${where}: connect: connection refused"`;
  }
  return policy === 'wrr_locality' ? 'weighted-target: no targets to pick from' : 'produced zero addresses';
}

function rpcError(code: number, message: string): string {
  return `rpc error: code = ${CODES[code] ?? `Code(${code})`} desc = ${message}`;
}

function withNode(message: string, nodeId = ''): string {
  return `[xDS node id: ${nodeId}]: ${message}`;
}

function unavailable(message: string): Status {
  return { code: statusCode('UNAVAILABLE'), message };
}

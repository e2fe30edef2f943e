import { isAdsOrSelf } from './connection-manager.js';
import type { NodeContext } from './environment.js';
import { checkPolicyMessage } from './lb-policy.js';
import { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { AGGREGATE_CLUSTER, typeUrlOf, urlOf } from './types.js';
import { validateUpstreamSocket } from './upstream-tls.js';

const MAX_RING_SIZE = 8_388_608;
const MAX_DURATION_SECONDS = 315_576_000_000;

/** Validates a Cluster as grpc-js-xds does. */
export function validateCluster(message: ProtobufJsMessage, context: NodeContext): ProblemList {
  const { switches } = context;
  const problems = new ProblemList();
  const policy = message.message('load_balancing_policy');
  const name = message.enumName('lb_policy');
  if (switches.customLbConfig && policy !== undefined) checkPolicyMessage(policy, context, problems);
  else if (name === 'RING_HASH' && switches.ringHash) checkRingHash(message.message('ring_hash_lb_config'), problems);
  else if (name !== 'ROUND_ROBIN') {
    const unset = switches.customLbConfig ? 'load_balancing_policy unset and ' : '';
    problems.add(`${unset}unsupported lb_policy: ${name}`, 'lb_policy');
  }
  const loads = message.message('lrs_server');
  if (loads !== undefined && !loads.has('self')) problems.add('lrs_server set but lrs_server.self unset', 'lrs_server');
  const detection = message.message('outlier_detection');
  if (detection !== undefined && switches.outlierDetection) checkOutlierDetection(detection, problems);
  const socket = message.message('transport_socket');
  if (socket !== undefined) problems.addAll(validateUpstreamSocket(socket, context), '', 'transport_socket');
  checkDiscovery(message, problems);
  return problems;
}

function checkRingHash(config: ProtobufJsMessage | undefined, problems: ProblemList): void {
  const hash = config?.enumName('hash_function');
  const add = (text: string, field: string): void => problems.add(text, 'ring_hash_lb_config', field);
  if (hash !== undefined && hash !== 'XX_HASH')
    add(`unsupported ring_hash_lb_config.hash_function: ${hash}`, 'hash_function');
  for (const field of ['minimum_ring_size', 'maximum_ring_size']) {
    const size = Number(config?.message(field)?.long('value') ?? 0);
    if (size > MAX_RING_SIZE) add(`ring_hash_lb_config.${field} is too large: ${size}`, field);
  }
}

function checkOutlierDetection(detection: ProtobufJsMessage, problems: ProblemList): void {
  const check = (field: string, isValid: boolean): void => {
    if (!isValid) problems.add(`outlier_detection.${field} out of range`, 'outlier_detection', field);
  };
  for (const field of ['interval', 'base_ejection_time', 'max_ejection_time'])
    check(field, isDuration(detection.message(field)));
  for (const field of [
    'max_ejection_percent',
    'enforcing_success_rate',
    'failure_percentage_threshold',
    'enforcing_failure_percentage',
  ])
    check(field, (detection.message(field)?.number('value') ?? 0) <= 100);
}

function isDuration(duration: ProtobufJsMessage | undefined): boolean {
  if (duration === undefined) return true;
  const seconds = Number(duration.long('seconds'));
  const nanos = duration.number('nanos');
  return seconds >= 0 && seconds <= MAX_DURATION_SECONDS && nanos >= 0 && nanos <= 999_999_999;
}

function checkDiscovery(message: ProtobufJsMessage, problems: ProblemList): void {
  const kind = message.chosen('type');
  const type = kind === undefined ? undefined : message.enumName('type');
  if (kind === 'cluster_type') checkCustomType(message.message(kind)?.message('typed_config'), problems);
  else if (type === 'EDS') checkEds(message, problems);
  else if (type === 'LOGICAL_DNS') checkLogicalDns(message.message('load_assignment'), problems);
  else problems.add(`Unsupported type ${type}`, 'type');
}

function checkCustomType(config: ProtobufJsMessage | undefined, problems: ProblemList): void {
  const steps = ['cluster_type', 'typed_config'];
  const url = typeUrlOf(config);
  if (config === undefined) problems.add('cluster_type.typed_config unset', ...steps);
  else if (url !== urlOf(AGGREGATE_CLUSTER))
    problems.add(`Unexpected cluster_type.typed_config.type_url: ${url}`, ...steps);
  else if (decodeAsProtobufJs(AGGREGATE_CLUSTER, config.bytes('value')).texts('clusters').length === 0)
    problems.add('cluster_type.typed_config.clusters.length == 0', ...steps);
}

function checkEds(message: ProtobufJsMessage, problems: ProblemList): void {
  const config = message.message('eds_cluster_config');
  if (config === undefined) {
    problems.add('type == EDS but eds_cluster_config is unset', 'eds_cluster_config');
    return;
  }
  const both = 'eds_cluster_config.eds_config.ads and eds_cluster_config.eds_config.self both unset';
  if (!isAdsOrSelf(config.message('eds_config'))) problems.add(both, 'eds_cluster_config', 'eds_config');
  if (message.text('name').startsWith('xdstp:') && config.text('service_name') === '') {
    const text = 'name starts with "xdstp:" and eds_cluster_config.service_name is empty';
    problems.add(text, 'eds_cluster_config', 'service_name');
  }
}

function checkLogicalDns(assignment: ProtobufJsMessage | undefined, problems: ProblemList): undefined {
  const add = (text: string): undefined => problems.add(text, 'load_assignment');
  if (assignment === undefined) return add('load_assignment unset');
  const [locality, ...localities] = assignment.messages('endpoints');
  if (locality === undefined || localities.length > 0)
    return add(`load_assignment.endpoints.length == ${assignment.messages('endpoints').length}`);
  const [endpoint, ...endpoints] = locality.messages('lb_endpoints');
  if (endpoint === undefined || endpoints.length > 0)
    return add(`load_assignment.endpoints[0].lb_endpoints.length == ${locality.messages('lb_endpoints').length}`);
  const address = endpoint.message('endpoint')?.message('address')?.message('socket_address');
  const path = 'load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address';
  if (address === undefined) return add(`${path} is not set`);
  if (address.text('address') === '') add(`${path}.address is empty`);
  const port = address.has('port_value') ? address.number('port_value') : undefined;
  if (address.chosen('port_value') !== 'port_value') add(`Unsupported ${path}.port_value: ${port}`);
}

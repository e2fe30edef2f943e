import type { NodeContext } from './environment.js';
import { isValidOverride } from './http-filters.js';
import { ProblemList } from './problem-list.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';
import { retryProblems } from './retry-policy.js';
import { typeUrlOf } from './types.js';

const PATH_SPECIFIERS = new Set(['prefix', 'path', 'safe_regex']);
const HEADER_SPECIFIERS = new Set([
  'exact_match',
  'safe_regex_match',
  'range_match',
  'present_match',
  'prefix_match',
  'suffix_match',
  'string_match',
]);
const CLUSTER_SPECIFIERS = new Set(['cluster', 'weighted_clusters', 'cluster_header']);
const MAX_UINT32 = 0xffffffff;

/** Validates a RouteConfiguration as grpc-js-xds does. */
export function validateRouteConfiguration(message: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  for (const [index, host] of message.messages('virtual_hosts').entries())
    problems.addAll(hostProblems(host, context), `virtual_hosts[${host.text('name')}]`, 'virtual_hosts', index);
  return problems;
}

function hostProblems(host: ProtobufJsMessage, context: NodeContext): ProblemList {
  const { switches } = context;
  const problems = new ProblemList();
  for (const [i, domain] of host.texts('domains').entries()) {
    const star = domain.indexOf('*');
    if (star !== domain.lastIndexOf('*'))
      problems.add(`: domains entry has multiple wildcards: ${domain}`, 'domains', i);
    if (star > 0 && star < domain.length - 1)
      problems.add(`: domains entry has wildcard in the middle: ${domain}`, 'domains', i);
  }
  for (const [name, config] of host.entries('typed_per_filter_config')) {
    if (!switches.faultInjection || isValidOverride(config, switches)) continue;
    const text = `: typed_per_filter_config validation failed for type_url: ${typeUrlOf(config)}`;
    problems.add(text, 'typed_per_filter_config', name);
  }
  if (switches.retry) problems.addAll(retryProblems(host.message('retry_policy')), '.retry_policy: ', 'retry_policy');
  for (const [i, route] of host.messages('routes').entries())
    problems.addAll(routeProblems(route, context), `.routes[${route.text('name')}]`, 'routes', i);
  return problems;
}

function routeProblems(route: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const match = route.message('match');
  if (match === undefined) problems.add('.match unset');
  else problems.addAll(matchProblems(match), '.match', 'match');
  const action = route.chosen('route');
  if (action === 'route') {
    const forward = route.message('route') as ProtobufJsMessage;
    const specifier = forward.chosen('cluster');
    if (specifier !== undefined && !CLUSTER_SPECIFIERS.has(specifier))
      problems.add(`: unsupported route.cluster_specifier: ${specifier}`, 'route');
    problems.addAll(overrideProblems(route, context), '');
    if (context.switches.retry)
      problems.addAll(retryProblems(forward.message('retry_policy')), '.route.retry_policy: ', 'route', 'retry_policy');
    const weighted = forward.message('weighted_clusters');
    if (specifier === 'weighted_clusters' && weighted !== undefined)
      problems.addAll(weightProblems(weighted, context), '.route.weighted_clusters', 'route', 'weighted_clusters');
  } else if (action !== 'non_forwarding_action') problems.add(`: unsupported action: ${action}`);
  return problems;
}

function matchProblems(match: ProtobufJsMessage): ProblemList {
  const problems = new ProblemList();
  const specifier = match.chosen('prefix');
  if (specifier === undefined) problems.add(': no path_specifier set');
  else if (!PATH_SPECIFIERS.has(specifier)) problems.add(`: unsupported path_specifier: ${specifier}`, specifier);
  for (const [i, header] of match.messages('headers').entries()) {
    const kind = header.chosen('exact_match');
    if (kind !== undefined && !HEADER_SPECIFIERS.has(kind))
      problems.add(`.headers[${header.text('name')}]: unsupported header_match_specifier: ${kind}`, 'headers', i);
  }
  return problems;
}

function weightProblems(weighted: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const clusters = weighted.messages('clusters');
  const sum = clusters.reduce((total, one) => total + (one.message('weight')?.number('value') ?? 0), 0);
  if (sum === 0) problems.add(' sum of weights is 0');
  if (sum > MAX_UINT32) problems.add(' sum of weights is greater than UINT32_MAX');
  for (const [i, one] of clusters.entries())
    problems.addAll(overrideProblems(one, context), `.clusters[${one.text('name')}]`, 'clusters', i);
  return problems;
}

function overrideProblems(part: ProtobufJsMessage, { switches }: NodeContext): ProblemList {
  const problems = new ProblemList();
  if (!switches.faultInjection) return problems;
  for (const [name, config] of part.entries('typed_per_filter_config')) {
    if (!isValidOverride(config, switches))
      problems.add(`.typed_per_filter_config[${name}] validation failed`, 'typed_per_filter_config', name);
  }
  return problems;
}

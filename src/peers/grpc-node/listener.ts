import { validateConnectionManager } from './connection-manager.js';
import { validateDownstreamSocket } from './downstream-tls.js';
import type { NodeContext } from './environment.js';
import { countDuplicates } from './filter-chain-match.js';
import { ProblemList } from './problem-list.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';
import { HTTP_CONNECTION_MANAGER, typeUrlOf, urlOf } from './types.js';

const MANAGER_URL = urlOf(HTTP_CONNECTION_MANAGER);

/** Validates a Listener as grpc-js-xds does: an api_listener and filter chains may be in the same listener. */
export function validateListener(message: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const api = message.message('api_listener');
  const manager = api?.message('api_listener');
  if (manager !== undefined && typeUrlOf(manager) === MANAGER_URL) {
    const inside = validateConnectionManager(manager, 'client', context);
    problems.addAll(inside, 'api_listener.api_listener: ', 'api_listener', 'api_listener');
  } else if (manager !== undefined)
    problems.add(`api_listener.api_listener.type_url != ${MANAGER_URL}`, 'api_listener', 'api_listener');
  if (message.messages('listener_filters').length > 0) problems.add('listener_filters populated', 'listener_filters');
  if (message.message('use_original_dst')?.bool('value'))
    problems.add('use_original_dst.value == true', 'use_original_dst');
  const chains = message.messages('filter_chains');
  const matches = new Set<string>();
  for (const [i, chain] of chains.entries()) {
    const name = chain.text('name');
    const match = chain.message('filter_chain_match');
    for (let count = match === undefined ? 0 : countDuplicates(match, matches); count > 0; count--)
      problems.add(`duplicate filter_chain_match entry in filter chain ${name}`, 'filter_chains', i);
    problems.addAll(chainProblems(chain, context), `filter_chains[${name}]: `, 'filter_chains', i);
  }
  const other = message.message('default_filter_chain');
  if (other !== undefined)
    problems.addAll(chainProblems(other, context), 'default_filter_chain: ', 'default_filter_chain');
  if (api === undefined && other === undefined && chains.length === 0)
    problems.add('No api_listener and no filter_chains and no default_filter_chain');
  return problems;
}

function chainProblems(chain: ProtobufJsMessage, context: NodeContext): ProblemList {
  const problems = new ProblemList();
  const [filter, ...others] = chain.messages('filters');
  if (filter === undefined || others.length > 0)
    problems.add(`Incorrect filters length: ${chain.messages('filters').length}`, 'filters');
  else {
    const config = filter.message('typed_config');
    const url = typeUrlOf(config);
    if (config !== undefined && url === MANAGER_URL) {
      const inside = validateConnectionManager(config, 'server', context);
      problems.addAll(inside, 'filters[0].typed_config: ', 'filters', 0, 'typed_config');
    } else problems.add(`Unexpected value of filters[0].typed_config.type_url: ${url}`, 'filters', 0);
  }
  const socket = chain.message('transport_socket');
  if (socket !== undefined) problems.addAll(validateDownstreamSocket(socket, context), '', 'transport_socket');
  return problems;
}

import { unpackAny } from './decode-message.js';
import { checkFilterChain } from './filter-chain.js';
import { checkConnectionManager, HTTP_CONNECTION_MANAGER } from './http-connection-manager.js';
import { catching, invalid, within } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';

/** Validates a Listener: that of a client if it has an `api_listener`, otherwise that of a server. */
export function validateListener(listener: ProtoMessage, settings: Settings): void {
  if (listener.has('api_listener')) checkClientListener(listener, settings);
  else checkServerListener(listener, settings);
}

function checkClientListener(listener: ProtoMessage, settings: Settings): void {
  within(['api_listener', 'api_listener'], () => {
    const manager = catching(
      ['proto'],
      () => unpackAny(listener.message('api_listener').message('api_listener'), HTTP_CONNECTION_MANAGER),
      (error) => `Could not parse HttpConnectionManager config from ApiListener: ${error.detail}`,
    );
    checkConnectionManager(manager, 'client', settings);
  });
}

function checkServerListener(listener: ProtoMessage, settings: Settings): void {
  const name = listener.string('name');
  const direction = listener.enumName('traffic_direction');
  if (direction !== 'INBOUND' && direction !== 'UNSPECIFIED')
    invalid(`Listener ${name} with invalid traffic direction: ${direction}`);
  if (listener.has('listener_filters')) invalid(`Listener ${name} cannot have listener_filters`);
  if (listener.has('use_original_dst')) invalid(`Listener ${name} cannot have use_original_dst set to true`);
  checkAddress(listener.message('address'));
  const names = new Set<string>();
  const matches = new Set<string>();
  for (const [index, chain] of listener.messages('filter_chains').entries())
    within(['filter_chains', index], () => {
      const chainName = chain.string('name') || `chain_${index}`;
      if (names.has(chainName)) invalid(`Filter chain names must be unique. Found duplicate: ${chainName}`);
      names.add(chainName);
      checkFilterChain(chain, chainName, matches, settings);
    });
  if (!listener.has('default_filter_chain')) return;
  const chain = listener.message('default_filter_chain');
  within(['default_filter_chain'], () =>
    checkFilterChain(chain, chain.string('name') || 'chain_default', undefined, settings),
  );
}

function checkAddress(address: ProtoMessage): void {
  if (!address.has('socket_address')) return;
  within(['address', 'socket_address'], () => {
    const socketAddress = address.message('socket_address');
    if (socketAddress.string('address') === '') invalid('Invalid address: Empty address is not allowed.');
    if (socketAddress.has('named_port')) invalid('NAMED_PORT is not supported in gRPC.');
  });
}

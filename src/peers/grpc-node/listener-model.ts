import type { ListenerResource } from '../../resources/listener.js';
import type { NodeContext } from './environment.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { HTTP_CONNECTION_MANAGER } from './types.js';

const CLIENT_FILTERS: ReadonlySet<string | undefined> = new Set(['router', 'fault']);

/**
 * A client listener as grpc-js-xds uses it: without the filters that it does not have. It ignores `disabled`, and takes
 * idle_timeout for the limit of an RPC instead of max_stream_duration.
 */
export function listenerModel(
  listener: ListenerResource,
  message: ProtobufJsMessage,
  { switches }: NodeContext,
): ListenerResource {
  if (listener.kind !== 'client' || listener.connectionManager === undefined) return listener;
  const any = message.message('api_listener')?.message('api_listener');
  const manager = any && decodeAsProtobufJs(HTTP_CONNECTION_MANAGER, any.bytes('value'));
  const timeout = manager?.message('common_http_protocol_options')?.message('idle_timeout');
  const filters = listener.connectionManager.filters
    .filter(({ config }) => CLIENT_FILTERS.has(config?.kind) && (switches.faultInjection || config?.kind === 'router'))
    .map((filter) => ({ ...filter, disabled: false }));
  const maxStreamDurationMs =
    timeout === undefined
      ? 0
      : Number(timeout.long('seconds')) * 1000 + Math.floor(timeout.number('nanos') / 1_000_000);
  return { ...listener, connectionManager: { ...listener.connectionManager, filters, maxStreamDurationMs } };
}

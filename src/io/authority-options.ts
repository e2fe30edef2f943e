import type { ChannelOptions } from '@grpc/grpc-js';
import { serverNameOf } from '../bootstrap/dial.js';

/** The server name in TLS and in `:authority`, if it is not that of the address. */
export function authorityOptions(authority: string | undefined): ChannelOptions {
  if (authority === undefined) return {};
  return { 'grpc.default_authority': authority, 'grpc.ssl_target_name_override': serverNameOf(authority) };
}

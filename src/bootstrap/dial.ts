import type { XdsHeader } from './xds-headers.js';

/** A local port that leads to a server. */
export interface Tunnel {
  /** `127.0.0.1:40123`. It stays the same when the tunnel is opened again. */
  readonly address: string;
  /** What the tunnel reported about the current failure; undefined if it reported nothing. */
  readonly failure: string | undefined;
}

/** How to connect to a server that flags name. A bootstrap can express none of these settings. */
export interface Dial {
  /** The server name in TLS and in `:authority`; by default that of the address. */
  authority?: string | undefined;
  /** The certificate of the server is not verified. */
  insecure?: boolean | undefined;
  /** A file with a token that every call carries. */
  tokenFile?: string | undefined;
  headers?: readonly XdsHeader[] | undefined;
  /** Keep the values of headers and tokens in messages of the server that repeat them. */
  showSecrets?: boolean | undefined;
  tunnel?: Tunnel | undefined;
}

/** Why a text cannot be a server name, as a predicate; undefined if it can. */
export function authorityProblem(text: string): string | undefined {
  return /^(?:[\w.-]+|\[[\da-f:.]+\]|[\da-f]*:[\da-f:.]+)(?::\d{1,5})?$/i.test(text)
    ? undefined
    : 'takes a server name, such as istiod.istio-system.svc, perhaps with a port';
}

/** The server name of an authority, without the port and the brackets of an IPv6 address. */
export function serverNameOf(authority: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(authority) ?? [];
  if (bracketed !== undefined) return bracketed;
  return authority.split(':').length > 2 ? authority : authority.replace(/:\d+$/, '');
}

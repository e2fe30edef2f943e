import { certificateHint } from '../base/certificate-hint.js';
import { connectionHint } from '../base/connection-hint.js';
import { type Status, statusName } from '../base/status.js';

export interface CsdsCall {
  plaintext: boolean;
  hasNodeMatchers: boolean;
}

/** Likely causes of a failure; the first match applies. */
const HINTS: [RegExp, string][] = [
  [
    /^authentication required$/,
    'istiod reports its proxies only to authenticated clients: use its TLS port (15012) with --cert and --key, or with --token-file; without TLS it requires ENABLE_DEBUG_ENDPOINT_AUTH=false',
  ],
  [
    /^authorization failed: no identities/,
    'istiod does not accept this identity: use that of a service account in the namespace of istiod',
  ],
  [/HTTP status code|Protocol error|HTTP\/1|Parse Error|non-grpc|content.type/i, 'it does not speak gRPC on this port'],
  [/wrong version number|packet length too long/i, 'it does not speak TLS on this port: try --plaintext'],
  [
    /is not in the cert's (list|altnames)|does not match certificate's altnames/i,
    'its certificate is for other names: set --authority to one of them',
  ],
];

/** The message of grpc-java for any exception in its CSDS service. */
const JAVA_CRASH = 'Application error processing RPC';

/** The last alternative is the message of grpc-js for a peer that closes the connection before it sends anything. */
const CLOSED = /ECONNRESET|socket hang up|Connection dropped|read EPIPE|Failed to connect \(/i;

/** How to enable the service in an application, for each language. */
const HOW_TO_ENABLE =
  "A gRPC application provides it with gRPC's admin services: grpc::AddAdminServices (C++), admin.Register (Go), " +
  'AdminInterface.getStandardServices (Java), grpc_admin.add_admin_servicers (Python), addAdminServicesToServer (Node)';

/** Text that grpc-js adds around the reason of a failed connection. */
const GRPC_JS_NOISE = /^No connection established\. Last error: (?:Error: )?|\n?\. Resolution note: $/g;

/** Returns one sentence on why a CSDS request failed, and what to do. */
export function csdsFailure({ code, message }: Status, call: CsdsCall): string {
  const name = statusName(code);
  const statusText = message === '' ? name : `${name}: ${message.replace(GRPC_JS_NOISE, '').trim()}`;
  const hint = HINTS.find(([pattern]) => pattern.test(message))?.[1] ?? certificateHint(message);
  if (hint !== undefined) return `${hint} (${statusText})`;
  if (name === 'UNIMPLEMENTED') return `it has no CSDS service (${statusText}). ${HOW_TO_ENABLE}`;
  if (name === 'INVALID_ARGUMENT' && call.hasNodeMatchers)
    return `it does not support --node-match (${statusText}): control planes support it, gRPC applications do not`;
  if (message === JAVA_CRASH)
    return `its CSDS service fails (${statusText}): grpc-java's fails while a client needs a name whose authority is not in the bootstrap`;
  if (CLOSED.test(message)) {
    const tls = call.plaintext ? 'without TLS' : 'with TLS';
    return `it closed the connection: check that it speaks gRPC on this port ${tls} (${statusText})`;
  }
  const known = connectionHint(message);
  return known === undefined ? statusText : `${known} (${statusText})`;
}

import { connectionHint } from '../base/connection-hint.js';
import { type Status, statusName } from '../base/status.js';

export interface CsdsCall {
  plaintext: boolean;
  hasNodeMatchers: boolean;
}

/** What a failure most likely means for whoever typed the address; the first that fits. */
const HINTS: [RegExp, string][] = [
  [/HTTP status code|Protocol error|HTTP\/1|Parse Error|non-grpc|content.type/i, 'it does not speak gRPC on this port'],
  [/wrong version number|packet length too long/i, 'it does not speak TLS on this port: try --plaintext'],
  [
    /unable to (verify|get)|self.signed certificate|certificate signature failure/i,
    'its certificate is signed by a CA that is not trusted here: name the CA with --cacert, or take any certificate with --insecure',
  ],
  [
    /is not in the cert's (list|altnames)|does not match certificate's altnames/i,
    'its certificate is for other names: give one of them as --authority',
  ],
  [
    /alert certificate required|alert handshake failure|peer did not return a certificate/i,
    'it wants a client certificate: give --cert and --key',
  ],
];

/** What grpc-java says of whatever goes wrong in its CSDS service. */
const JAVA_CRASH = 'Application error processing RPC';

/** The last one is all that grpc-js says of a peer that hangs up before it has said anything. */
const CLOSED = /ECONNRESET|socket hang up|Connection dropped|read EPIPE|Failed to connect \(/i;

/** How an application gets the service, in the words of each language. */
const ENABLE =
  "A gRPC application has it with gRPC's admin services: grpc::AddAdminServices (C++), admin.Register (Go), " +
  'AdminInterface.getStandardServices (Java), grpc_admin.add_admin_servicers (Python), addAdminServicesToServer (Node)';

/** What grpc-js puts around the reason of a failed connection. */
const NOISE = /^No connection established\. Last error: (?:Error: )?|\n?\. Resolution note: $/g;

/** One sentence on why a process's CSDS could not be read, and what to do about it. */
export function csdsFailure({ code, message }: Status, asked: CsdsCall): string {
  const name = statusName(code);
  const said = message === '' ? name : `${name}: ${message.replace(NOISE, '').trim()}`;
  const hint = HINTS.find(([pattern]) => pattern.test(message))?.[1];
  if (hint !== undefined) return `${hint} (${said})`;
  if (name === 'UNIMPLEMENTED') return `it has no CSDS service (${said}). ${ENABLE}`;
  if (name === 'INVALID_ARGUMENT' && asked.hasNodeMatchers)
    return `it takes no --node-match (${said}): control planes do, gRPC applications do not`;
  if (message === JAVA_CRASH)
    return `its CSDS service breaks down (${said}): grpc-java's does while a client needs a name whose authority the bootstrap lacks`;
  if (CLOSED.test(message)) {
    const tls = asked.plaintext ? 'without TLS' : 'with TLS';
    return `it closed the connection: does it speak gRPC on this port, and ${tls}? (${said})`;
  }
  const known = connectionHint(message);
  return known === undefined ? said : `${known} (${said})`;
}

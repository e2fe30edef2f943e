import { overLimitText } from '../../base/limits.js';
import { quotedStatus } from '../../base/status.js';
import { unusableAddress } from '../../bootstrap/server-address.js';
import { streamRefusal } from '../../findings/stream-refusal.js';
import { nodeText } from './phrases.js';
import type { CauseCode } from './verdict.js';

/** Why a server cannot be used. `text` is a predicate that follows the server URI. */
export interface ServerFailure {
  code: Extract<CauseCode, 'unreachable' | 'tls' | 'node-refused' | 'unsupported-protocol'>;
  text: string;
  advice: string;
}

/** `byFlag`: the advice for a server that a flag names. By default it is derived from that for a bootstrap. */
type FailurePattern = [pattern: RegExp, code: ServerFailure['code'], text: string, advice: string, byFlag?: string];

const ADDRESS = 'correct server_uri in the bootstrap';
const PORT = 'Check the port in server_uri of the bootstrap: gRPC needs the port of ADS';
const CREDENTIALS = 'channel_creds or call_creds in the bootstrap';
const CLIENT_CERTIFICATE = 'Set certificate_file and private_key_file in channel_creds of the bootstrap';

/** Connection failures by the messages of Node and OpenSSL. The first match wins; `$1` is the first group of the pattern. */
const CONNECTIONS: readonly FailurePattern[] = [
  [
    /^(kubectl port-forward.*)/is,
    'unreachable',
    'cannot be reached: $1',
    'Check the pod, its port and its log with kubectl',
  ],
  [
    /certificate has expired/i,
    'tls',
    'has a TLS certificate that has expired',
    'Renew the certificate of {uri}',
    'Renew the certificate of {uri}, or accept it with --insecure',
  ],
  [
    /certificate is not yet valid/i,
    'tls',
    'has a TLS certificate that is not valid yet',
    'Check the clocks of this host and of the control plane',
  ],
  [
    /Host: (\S+?)\.? is not in the cert's altnames: (.*?)$/is,
    'tls',
    'has a TLS certificate for $2, not for $1',
    'Dial a name of the certificate in server_uri of the bootstrap, or give the control plane a certificate for $1',
    'Name a server of the certificate: --authority {name}',
  ],
  [
    /Host: (\S+?)\.? is not cert's CN: (.*?)$/is,
    'tls',
    'has a TLS certificate for $2, not for $1',
    'Dial the name of the certificate in server_uri of the bootstrap, or give the control plane a certificate for $1',
    'Name the server of the certificate: --authority $2',
  ],
  [
    /IP: (\S+) is not in the cert's list/i,
    'tls',
    'has a TLS certificate that is not for $1',
    'Dial a name of the certificate in server_uri of the bootstrap, or give the control plane a certificate for $1',
    'Name a server of the certificate: --authority NAME',
  ],
  [
    /is not in the cert's (?:list|altnames)|does not match certificate's altnames/i,
    'tls',
    'has a TLS certificate that does not match the dialed name',
    'Dial a name of the certificate in server_uri of the bootstrap',
    'Name a server of the certificate: --authority NAME',
  ],
  [
    /(unable to (?:verify|get)[^(\n]*|self.signed certificate(?: in certificate chain)?|certificate signature failure)/i,
    'tls',
    'has a TLS certificate from a CA that this client does not trust ($1)',
    'Set ca_certificate_file in channel_creds of the bootstrap to its CA (--cacert)',
    'Trust its CA with --cacert FILE, or accept any certificate with --insecure',
  ],
  [
    /alert certificate required|alert handshake failure|peer did not return a certificate/i,
    'tls',
    'requires a TLS client certificate',
    CLIENT_CERTIFICATE,
    'Set --cert and --key',
  ],
  [
    /alert unknown ca|alert bad certificate/i,
    'tls',
    'does not accept the TLS client certificate',
    `${CLIENT_CERTIFICATE} to a certificate that the control plane trusts`,
    'Set --cert and --key to a certificate that the control plane trusts',
  ],
  [
    /wrong version number|packet length too long/i,
    'tls',
    'does not speak TLS on this port',
    'Use the TLS port of the control plane, or insecure channel_creds in the bootstrap (--plaintext)',
    'Use the TLS port of the control plane, or --plaintext',
  ],
  [
    /(.*(?:certificate|altnames|\bTLS\b|\bSSL\b|\balert\b).*)/is,
    'tls',
    'fails the TLS handshake: $1',
    'Check that channel_creds in the bootstrap match what the control plane requires',
    'Check that --plaintext, --cacert, --cert and --key match what the control plane requires',
  ],
  [
    /ECONNREFUSED|connection refused/i,
    'unreachable',
    'refuses connections',
    `Start the control plane at {uri}, or ${ADDRESS}`,
  ],
  [
    /connect (?:ENOENT|ENOTSOCK) (.*)/i,
    'unreachable',
    'cannot be reached: there is no socket $1',
    `Start the control plane at {uri}, or ${ADDRESS}`,
  ],
  [
    /connect (?:EACCES|EPERM) (.*)/i,
    'unreachable',
    'cannot be reached: this user may not use the socket $1',
    'Give this user the permission to write to the socket of {uri}',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|Name resolution failed/i,
    'unreachable',
    'cannot be reached: its host name does not resolve',
    `Add the host name of {uri} to DNS, or ${ADDRESS}`,
  ],
  [
    /ETIMEDOUT|Failed to connect before the deadline|no (?:answer|response) from the peer/i,
    'unreachable',
    'does not respond to connection attempts',
    `Check the firewalls between this host and {uri}, or ${ADDRESS}`,
  ],
  [
    /EHOSTUNREACH|ENETUNREACH/i,
    'unreachable',
    'cannot be reached: no network route to it',
    `Check the network between this host and {uri}, or ${ADDRESS}`,
  ],
  [
    /timed out before receiving SETTINGS/i,
    'unreachable',
    'accepts connections but sends nothing',
    `${PORT}; the control plane may also hang`,
  ],
  [/Protocol error/i, 'unsupported-protocol', 'does not speak HTTP/2 on this port', PORT],
  [
    /ECONNRESET|socket hang up|Connection dropped|reset by peer|^Failed to connect$/i,
    'unreachable',
    'closes connections immediately',
    'Check the port in server_uri and channel_creds in the bootstrap: it may expect TLS, or reject the client certificate',
    'Check the port, and whether it expects TLS (--plaintext) or a client certificate (--cert, --key)',
  ],
  [/(.*)/s, 'unreachable', 'cannot be reached: $1', `Check the network between this host and {uri}, or ${ADDRESS}`],
];

/** Status codes with which control planes refuse a node. Istio sends INVALID_ARGUMENT for a node id that it cannot parse. */
const NODE_REFUSALS = new Map([
  ['INVALID_ARGUMENT', (node: string) => `Correct node in the bootstrap: the control plane cannot use ${node}.`],
  ['PERMISSION_DENIED', (node: string) => `Allow ${node} in the control plane, or correct node in the bootstrap.`],
  ['UNAUTHENTICATED', () => `Give this client credentials that the control plane accepts: ${CREDENTIALS}.`],
]);

/** Extracts the status that ended the stream (`ended`), or the reason why there is no connection. */
function readFailure(message: string): { ended?: string; reason: string } {
  const ended = /xDS call failed with no responses received; status: (.*)/s.exec(message)?.[1];
  if (ended !== undefined) return { ended, reason: ended };
  return { reason: message.replace(/^.*?channel in TRANSIENT_FAILURE: /s, '') };
}

/** `isByFlag`: a flag names the server, so there is no bootstrap to correct. */
export function serverFailure(
  uri: string,
  message: string,
  nodeId: string | undefined,
  isByFlag = false,
): ServerFailure {
  const failure = failureOf(uri, message, nodeId, isByFlag);
  return isByFlag ? { ...failure, advice: withFlags(failure.advice) } : failure;
}

function failureOf(uri: string, message: string, nodeId: string | undefined, isByFlag: boolean): ServerFailure {
  const unusable = unusableAddress(uri);
  if (unusable !== undefined) {
    const text = `is not an address that a channel can connect to: ${unusable.reason}`;
    return { code: 'unreachable', text, advice: 'Correct server_uri in the bootstrap.' };
  }
  const { ended, reason } = readFailure(message);
  return ended === undefined ? connectionFailure(uri, reason, isByFlag) : streamFailure(uri, ended, nodeText(nodeId));
}

/** The flags in place of the fields of a bootstrap. */
function withFlags(advice: string): string {
  return advice
    .replace(CREDENTIALS, '--token-file, --cert and --key, or -H')
    .replace(/server_uri (?:in|of) the bootstrap/, 'the address of the server')
    .replace(/node in the bootstrap/, 'the node (--node-id, --node-cluster, --node-metadata)');
}

function connectionFailure(uri: string, message: string, isByFlag: boolean): ServerFailure {
  // grpc-js wraps the reason in this text.
  const reason = message
    .replace(/^No connection established\. Last error: /, '')
    .replace(/ \(\d{4}-\d\d-\d\dT[^)]*\)$/, '');
  for (const [pattern, code, text, advice, byFlag = advice] of CONNECTIONS) {
    const found = pattern.exec(reason);
    if (found === null) continue;
    const fill = (template: string): string =>
      template
        .replace(/\$(\d)/g, (_, n: string) => found[Number(n)] ?? '')
        .replace('{uri}', () => uri)
        .replace('{name}', () => certificateName(found[2] ?? ''));
    return { code, text: fill(text), advice: `${fill(isByFlag ? byFlag : advice)}.` };
  }
  return { code: 'unreachable', text: 'cannot be reached', advice: `Check the network, or ${ADDRESS}.` };
}

/** The first name of a certificate that a server can have. */
function certificateName(names: string): string {
  return /\bDNS:([\w.-]+)(?=,|$)/.exec(names)?.[1] ?? /\bIP Address:([\da-f.:]+)/i.exec(names)?.[1] ?? 'NAME';
}

/** Describes a stream that ended before any response. */
function streamFailure(uri: string, ended: string, node: string): ServerFailure {
  const [, code = '', message = ''] = /^(\w+)(?:: (.*))?$/s.exec(ended) ?? [];
  const status = code === '' ? ended : quotedStatus(code, message);
  const refusal = NODE_REFUSALS.get(code);
  if (refusal !== undefined) return { code: 'node-refused', text: `refuses ${node}: ${status}`, advice: refusal(node) };
  if (/content-type/i.test(message) || (code === 'UNIMPLEMENTED' && /HTTP status code/i.test(message))) {
    return { code: 'unsupported-protocol', text: `responds with HTTP, not gRPC: ${status}`, advice: `${PORT}.` };
  }
  const refused = streamRefusal(code, message);
  if (refused !== undefined) {
    const { requires, text, advice } = refused;
    return { code: requires === 'node' ? 'node-refused' : 'unsupported-protocol', text, advice };
  }
  if (code === 'UNIMPLEMENTED') {
    // Other messages do not show whether the server lacks the service or only the method.
    const advice = /unknown service/i.test(message)
      ? `${PORT}.`
      : `${PORT}, and a server that implements StreamAggregatedResources.`;
    return { code: 'unsupported-protocol', text: `is a gRPC server without ADS: ${status}`, advice };
  }
  const tooLarge = overLimitText(message);
  if (tooLarge !== undefined) {
    const advice = 'Split the response or serve fewer resources to this client: gRPC reads 4 MiB by default.';
    return { code: 'unreachable', text: `sends ${tooLarge}: it is not read`, advice };
  }
  return {
    code: 'unreachable',
    text: `ends the stream without a response: ${status}`,
    advice: `Read the log of ${uri} for ${node}.`,
  };
}

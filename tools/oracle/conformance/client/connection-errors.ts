import type { Policies } from '../../../../src/bootstrap/policies.js';

/** What is wrong with a server that does not listen; `unknown`: its name cannot be resolved. */
type Failing = 'refusing' | 'http1' | 'close' | 'silent' | 'unknown';

/** The text of a failed connection to a scripted server, as the transport of the recorded client words it. */
export function connectionError(mode: Failing, uri: string, client: Policies['statusTexts']): string {
  return client === 'grpc-go' ? goError(mode, uri) : coreError(mode, uri);
}

function coreError(mode: Failing, uri: string): string {
  const address = `ipv4:${uri}`;
  if (mode === 'unknown') {
    const how = `Address lookup failed for ${uri} os_error: Name or service not known syscall: getaddrinfo`;
    return `errors resolving ${uri}: [field:hostname lookup error:${how}]`;
  }
  const why = {
    refusing: `UNKNOWN: ${address}: Failed to connect to remote host: Connection refused`,
    http1: `INTERNAL: ${address}: Failed parsing HTTP/2 (Expected SETTINGS frame as the first frame, got frame type 80) (Trying to connect an http1.x server (HTTP status 400))`,
    close: `UNAVAILABLE: ${address}: recvmsg:Connection reset by peer (104)`,
    silent: `UNKNOWN: ${address}: connection attempt timed out before receiving SETTINGS frame`,
  }[mode];
  return `failed to connect to all addresses; last error: ${why}`;
}

function goError(mode: Failing, uri: string): string {
  if (mode === 'unknown') return 'name resolver error: produced zero addresses';
  const why = {
    refusing: `transport: Error while dialing: dial tcp ${uri}: connect: connection refused`,
    http1:
      'error reading server preface: http2: failed reading the frame payload: http2: frame too large, note that the frame header looked like an HTTP/1.1 header',
    close: 'error reading server preface: connection reset by peer',
    silent: 'error reading server preface: use of closed network connection',
  }[mode];
  return `connection error: desc = "${why}"`;
}

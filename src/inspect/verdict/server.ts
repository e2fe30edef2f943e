import { formatMillis } from '../../base/duration.js';
import { isLost } from '../../engine/lost.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { readFailure } from '../lost-server.js';
import type { Case, Cause } from './verdict.js';

type Authority = ScopeSnapshot['authorities'][number];
type Server = Authority['servers'][number];
type ServerCode = 'unreachable' | 'tls' | 'node-refused' | 'unsupported-protocol';

const TLS = /certificate|altnames|\bTLS\b|\bSSL\b|\balert\b|wrong version number|packet length too long/i;
/** With which control planes refuse a node; Istio sends INVALID_ARGUMENT for a node id that it cannot parse. */
const REFUSED: ReadonlySet<string> = new Set(['INVALID_ARGUMENT', 'PERMISSION_DENIED', 'UNAUTHENTICATED']);

/** Why no server of an authority can be used: its primary first, then how many fallback servers failed as well (A71). */
export function lostCause(authority: Authority): Cause | undefined {
  const [primary, ...others] = authority.servers;
  if (primary === undefined || !isLost(authority)) return undefined;
  const cause = failureCause(primary);
  if (cause === undefined || others.length === 0) return cause;
  const fallback = others.length === 1 ? 'the fallback server fails' : `${others.length} fallback servers fail`;
  return { ...cause, message: `${cause.message}; ${fallback} as well` };
}

/** Why a server cannot be used; undefined while nothing is wrong with it. */
export function failureCause({ uri, failure }: Server): Cause | undefined {
  if (failure === undefined) return undefined;
  const { ended, reason, hint } = readFailure(failure.message);
  const found = ended === undefined ? connectionFailure(reason, hint ?? reason) : streamFailure(ended, hint);
  return { code: found.code, message: `${uri} ${found.text}`, resource: null, server: uri };
}

function streamFailure(status: string, hint: string | undefined): { code: ServerCode; text: string } {
  const [code = ''] = /^\w+/.exec(status) ?? [];
  if (REFUSED.has(code)) return { code: 'node-refused', text: `refused the stream: ${status}` };
  const text = `ended the stream without a response: ${status}${hint === undefined ? '' : ` (${hint})`}`;
  const isOther = code === 'UNIMPLEMENTED' || /content-type/i.test(status);
  return { code: isOther ? 'unsupported-protocol' : 'unreachable', text };
}

function connectionFailure(reason: string, hint: string): { code: ServerCode; text: string } {
  if (TLS.test(reason)) return { code: 'tls', text: `fails the TLS handshake: ${hint}` };
  if (/Protocol error/i.test(reason)) return { code: 'unsupported-protocol', text: `cannot be used: ${hint}` };
  return { code: 'unreachable', text: `cannot be reached: ${hint}` };
}

/** An authority that depends on a fallback server, or whose servers have all failed while the cached resources stay in use. */
export function degradedCause({ scope, facts, now }: Case, authority: Authority): Cause | undefined {
  const active = authority.servers.find(({ isActive }) => isActive);
  const primary = authority.servers[0];
  if (active === undefined || primary === undefined) return undefined;
  if (active.failure !== undefined) {
    const lost = lostCause(authority) ?? failureCause(active);
    return lost && { ...lost, message: `${lost.message}; the cached configuration stays in use` };
  }
  if (active.priority === 0) return undefined;
  const movedAt = facts.movedAt(scope.scope, authority.name);
  const since = movedAt === undefined ? '' : ` for ${formatMillis(now - movedAt)}`;
  const reason = failureCause(primary)?.message ?? `the primary is ${primary.uri}`;
  const retry = primary.retryAt === undefined ? '' : `, next try in ${formatMillis(primary.retryAt - now)}`;
  return {
    code: 'on-fallback',
    message: `on the fallback server ${active.uri}${since} (${reason}${retry})`,
    resource: null,
    server: active.uri,
  };
}

/** What a server that is in use has not done yet. */
export function silentCause(
  { scope: { scope }, facts }: Case,
  server: string,
  resource: { type: string; noun: string },
  waitedMs: number,
): Cause {
  const cause = { resource: null, server };
  const { hasReceivedRequest, hasAnswered, ignored } = facts.server(scope, server);
  if (!hasReceivedRequest && !hasAnswered)
    return { ...cause, code: 'unreachable', message: `${server} is not connected yet` };
  if (ignored !== undefined && !hasAnswered)
    return { ...cause, code: 'unsupported-protocol', message: `gRPC cannot use the response of ${server}: ${ignored}` };
  const waited = Number.isNaN(waitedMs) ? '' : ` for ${formatMillis(waitedMs)}`;
  const message = hasAnswered
    ? `${resource.noun}: ${server} has sent no ${resource.type} response${waited}`
    : `${server} accepted the stream and has not answered${waited}`;
  return { ...cause, code: 'silent', message };
}

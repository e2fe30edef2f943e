import { clockTime } from '../../base/clock-time.js';
import { quotedStatus, statusName } from '../../base/status.js';
import { isLost } from '../../engine/lost-servers.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { IgnoredResponse } from './facts.js';
import { nodeText, waitedText } from './phrases.js';
import { serverFailure } from './server-failure.js';
import type { Cause, TargetCase } from './verdict.js';

type Authority = ScopeSnapshot['authorities'][number];
type Server = Authority['servers'][number];

/** Returns why no server of an authority can be used: the failure of the primary, and the number of fallback servers (A71). */
export function lostCause(authority: Authority, nodeId: string | undefined): Cause | undefined {
  const [primary, ...others] = authority.servers;
  if (primary === undefined || !isLost(authority)) return undefined;
  const cause = failureCause(primary, nodeId);
  if (cause === undefined || others.length === 0) return cause;
  const fallback = others.length === 1 ? 'the fallback server fails' : `${others.length} fallback servers fail`;
  return { ...cause, message: `${cause.message}; ${fallback} as well` };
}

/** Returns why a server cannot be used; undefined if it works. */
export function failureCause({ uri, failure, isByFlag }: Server, nodeId: string | undefined): Cause | undefined {
  if (failure === undefined) return undefined;
  const { code, text, advice } = serverFailure(uri, failure.message, nodeId, isByFlag);
  return { code, message: `${uri} ${text}`, resource: null, server: uri, advice };
}

/** Reports an authority that uses a fallback server, or whose servers have all failed while cached resources stay in use. */
export function degradedCause(one: TargetCase, authority: Authority): Cause | undefined {
  const active = authority.servers.find(({ isActive }) => isActive);
  const primary = authority.servers[0];
  if (active === undefined || primary === undefined) return undefined;
  if (active.failure !== undefined) {
    const lost = lostCause(authority, one.nodeId) ?? failureCause(active, one.nodeId);
    return lost && { ...lost, message: `${lost.message}; the cached configuration stays in use` };
  }
  return active.priority === 0 ? undefined : fallbackCause(one, authority.name, active, primary);
}

/** `on the fallback server B since 12:00:01 (the primary A refuses connections; next try in 3 s)` */
function fallbackCause(
  { scope, facts, nodeId, now }: TargetCase,
  authority: string,
  active: Server,
  primary: Server,
): Cause {
  const movedAt = facts.movedAt(scope.scope, authority);
  const since = movedAt === undefined ? '' : ` since ${clockTime(movedAt).slice(0, 8)}`;
  const failed = failureCause(primary, nodeId);
  const state = failed?.message ?? `${primary.uri} has not answered yet`;
  const retry = primary.retryAt === undefined ? '' : `; next try in ${waitedText(Math.max(0, primary.retryAt - now))}`;
  return {
    code: 'on-fallback',
    message: `on the fallback server ${active.uri}${since} (the primary ${state}${retry})`,
    resource: null,
    server: active.uri,
    advice: failed?.advice ?? `Read the log of the control plane ${primary.uri}.`,
  };
}

/** Describes a server that is in use and has not responded yet. */
export function silentCause(
  { scope: { scope }, facts, nodeId }: TargetCase,
  server: string,
  resource: { type: string; noun: string },
  waitedMs: number,
): Cause {
  const waited = Number.isNaN(waitedMs) ? '' : ` for ${waitedText(waitedMs)}`;
  const cause = { resource: null, server };
  const { hasReceivedRequest, hasResponded, ignored } = facts.server(scope, server);
  if (!hasReceivedRequest && !hasResponded) {
    const message = `${server} has not accepted the stream${waited}`;
    return { ...cause, code: 'unreachable', message, advice: `Check that a control plane listens at ${server}.` };
  }
  if (ignored !== undefined && !hasResponded)
    return { ...cause, code: 'unsupported-protocol', ...unreadable(server, ignored) };
  const message = hasResponded
    ? `${resource.noun}: ${server} has sent no ${resource.type} response${waited}`
    : `${server} accepted the stream and has not answered${waited}`;
  const advice = `Check that the control plane has configuration for ${nodeText(nodeId)}; its log may show why it does not respond.`;
  return { ...cause, code: 'silent', message, advice };
}

/** Reports a server that ends every stream after a request. gRPC reconnects each time, so no resource timer expires (A57). */
export function endedCause(
  { scope: { scope }, facts, nodeId }: TargetCase,
  server: string,
  { type, noun }: { type: string; noun: string },
  requestedAt: number,
): Cause | undefined {
  const [last, previous] = facts.server(scope, server).ended;
  // A single end may be a server restart or a maximum connection age.
  if (last === undefined || previous === undefined || previous.at < requestedAt) return undefined;
  const status = quotedStatus(statusName(last.status.code), last.status.message);
  return {
    code: 'unreachable',
    message: `${noun}: ${server} ends the stream instead of sending a ${type} response: ${status}`,
    resource: null,
    server,
    advice: `Read the log of ${server} for ${nodeText(nodeId)} and the ${type} request.`,
  };
}

/** Describes a response of another xDS version, or one that is not an xDS response. */
function unreadable(server: string, { typeUrl, reason }: IgnoredResponse): Pick<Cause, 'message' | 'advice'> {
  if (typeUrl === '') {
    const message = `gRPC cannot read the response of ${server}: ${reason}`;
    return { message, advice: 'Check the port in server_uri of the bootstrap: gRPC needs the port of ADS.' };
  }
  const type = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
  const version = /^envoy\.api\.v2\./.test(type) ? 'which is xDS v2' : 'which gRPC did not request';
  const message = `${server} responds with type ${type}, ${version}`;
  return { message, advice: 'Serve the xDS v3 API: gRPC supports no other version.' };
}

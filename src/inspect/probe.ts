import { authorityKey, parseXdsName } from '../base/xds-name.js';
import type { XdsServer } from '../bootstrap/bootstrap.js';
import { serverKey } from '../core/authority.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { openGet } from './get.js';
import { resolverOf } from './resolve-targets.js';
import type { LiveSource } from './source.js';
import type { WaitEnding, WaitOptions } from './until.js';
import { PROBE_MS } from './until-probed.js';
import type { CauseCode, TargetVerdict } from './verdict/verdict.js';

type ProbeSource = Pick<LiveSource, 'client' | 'ports'>;

/** Causes that a wrong name may explain: the server is reachable, but has no listener of this name or does not respond. */
const PROBED: ReadonlySet<CauseCode> = new Set(['no-listener', 'silent']);

/** A target whose listener does not exist, and the server that the client requested it from. */
interface LostTarget {
  scope: string;
  authority: string;
  server: XdsServer;
}

export interface ProbeResult {
  ending: WaitEnding;
  /** The listener names of each server, for each client_scope. */
  listed: { scope: string; server: string; names: readonly string[] }[];
}

/**
 * Lists the listeners of each server once, for targets whose listener does not exist. The wildcard subscription uses its
 * own stream, so it does not appear in recordings, findings, metrics or CSDS.
 */
export async function probeListeners(
  source: ProbeSource,
  scopes: readonly ScopeSnapshot[],
  verdicts: readonly TargetVerdict[],
  wait: Pick<WaitOptions, 'onInterrupt' | 'limit'>,
): Promise<ProbeResult> {
  const lost = lostTargets(source, scopes, verdicts);
  const servers = new Map(lost.map(({ server }) => [serverKey(server), server]));
  const lists = new Map<string, readonly string[]>();
  const endings = await Promise.all(
    [...servers].map(async ([key, server]) => {
      const { ending, names } = await listListeners(source, server, wait);
      if (names !== undefined) lists.set(key, names);
      return ending;
    }),
  );
  const listed = lost.flatMap((one) => {
    const names = lists.get(serverKey(one.server));
    if (names === undefined) return [];
    return [{ scope: one.scope, server: one.server.uri, names: namesFor(one, names, source) }];
  });
  return { ending: endings.includes('interrupted') ? 'interrupted' : 'met', listed };
}

function lostTargets(
  { client: { bootstrap } }: ProbeSource,
  scopes: readonly ScopeSnapshot[],
  verdicts: readonly TargetVerdict[],
): LostTarget[] {
  return verdicts.flatMap(({ scope: name, target, cause }) => {
    if (cause === null || cause.resource?.type !== 'LDS' || !PROBED.has(cause.code)) return [];
    const scope = scopes.find((one) => one.scope === name);
    const channel = scope?.channels.find((one) => one.target === target);
    const entry = channel && scope?.entry(RESOURCE_TYPES.LDS, channel.listener);
    // A listener that exists, but for another kind of target, needs no probe.
    if (channel === undefined || entry === undefined || entry.resource !== undefined) return [];
    const { authority } = entry;
    const states = scope?.authorities.find((one) => one.name === authority)?.servers ?? [];
    const active = states.find(({ isActive, failure }) => isActive && failure === undefined);
    const own = bootstrap.authorities.get(authority)?.servers ?? [];
    const server = (own.length > 0 ? own : bootstrap.servers)[active?.priority ?? -1];
    return server === undefined ? [] : [{ scope: name, authority, server }];
  });
}

/** The names in the first response to a wildcard subscription; undefined if no response arrived. */
async function listListeners(
  { client, ports }: ProbeSource,
  server: XdsServer,
  { onInterrupt, limit }: Pick<WaitOptions, 'onInterrupt' | 'limit'>,
): Promise<{ ending: WaitEnding; names: string[] | undefined }> {
  const bootstrap = { ...client.bootstrap, servers: [server] };
  const inspection = await openGet({ kind: 'live', client: { ...client, bootstrap }, ports, inputs: [] }, new Set(), {
    typeUrl: RESOURCE_TYPES.LDS,
    names: [],
    ignoresAuthorities: true,
    nack: undefined,
    follows: false,
    timeoutMs: undefined,
  });
  const { fetch } = inspection;
  const hasResponse = (): boolean => fetch.silent.length === 0;
  const ending = await inspection.until(() => ({ isMet: hasResponse() || fetch.state !== 'open' }), {
    limit: Math.min(PROBE_MS, limit),
    ...(onInterrupt && { onInterrupt }),
  });
  inspection.close();
  return { ending, names: hasResponse() ? fetch.resources.map(({ received }) => received.name) : undefined };
}

/** The names that belong to the authority of the target (A47). */
function namesFor({ authority }: LostTarget, names: readonly string[], { client }: ProbeSource): string[] {
  const { federation } = resolverOf(client).switches;
  return names.filter((name) => {
    const parsed = parseXdsName(name, typeNameOf(RESOURCE_TYPES.LDS), federation);
    return name !== '' && parsed !== undefined && authorityKey(parsed) === authority;
  });
}

import type { CacheEntry } from '../../core/resource-cache.js';
import { isLost } from '../../engine/lost-servers.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { endpointsName } from '../../resources/references.js';
import { versionText } from './phrases.js';
import { neededEntries } from './target-cause.js';
import type { BareVerdict, CauseCode, TargetCase, Verdict } from './verdict.js';

/** Causes that may come from a push before the tool started: clients that have an older version keep it. */
const MAYBE_OLDER: ReadonlySet<CauseCode> = new Set(['rejected', 'data-error', 'not-in-response', 'silent']);
const MAYBE_CACHED: ReadonlySet<CauseCode> = new Set(['unreachable', 'tls', 'node-refused', 'unsupported-protocol']);

/** Nouns for a gRPC client, or for a gRPC server with an xDS listener. */
interface Party {
  many: string;
  one: string;
  failure: string;
}

const CLIENT: Party = { many: 'clients', one: 'client', failure: 'its RPCs fail' };
const SERVER: Party = { many: 'servers', one: 'server', failure: 'it accepts no RPCs' };

/** Describes in one or two sentences how clients that connected earlier differ from a new one; null if they do not. */
export function clientsText(one: TargetCase, { verdict, cause, routes }: BareVerdict): string | null {
  const { scope, channel } = one;
  const party = channel.authority === undefined ? SERVER : CLIENT;
  const others = `${party.many[0]?.toUpperCase()}${party.many.slice(1)} that connected earlier may still use`;
  const entries = neededEntries(one);
  const needed = new Set(entries.map(({ authority }) => authority));
  const isAnyLost = scope.authorities.some((authority) => needed.has(authority.name) && isLost(authority));
  if (isAnyLost && entries.some(({ resource }) => resource !== undefined)) {
    return `Running ${party.many} keep the configuration that they have. A ${party.one} that starts now gets none: ${party.failure}.`;
  }
  const kept = entries.filter(({ error, resource }) => error?.effect === 'kept' && resource !== undefined);
  const [first] = kept;
  if (first !== undefined) {
    const versions = new Set(kept.map(({ version }) => version));
    const what = (versions.size === 1 && versionText(first.version).trim()) || 'the versions that they have';
    return `Running ${party.many} keep ${what}. A ${party.one} that starts now has no version to keep: ${failureOf(party, kept, entries, routes)}.`;
  }
  // Without servers, the data comes from CSDS and the client itself connected earlier.
  if (cause === null || verdict === 'ok' || verdict === 'waiting' || scope.authorities.length === 0) return null;
  if (MAYBE_CACHED.has(cause.code)) return `${others} their cached configuration.`;
  const { resource } = cause;
  const entry = entries.find(({ typeUrl, name }) => name === resource?.name && shortType(typeUrl) === resource.type);
  // Only a resource that this client never had can have changed before it started.
  if (!MAYBE_OLDER.has(cause.code) || entry === undefined || entry.error?.effect === 'dropped') return null;
  return `${others} an older version.`;
}

/** If only some routes use the cluster, only their RPCs fail. */
function failureOf(
  party: Party,
  kept: readonly CacheEntry[],
  entries: readonly CacheEntry[],
  routes: Verdict['routes'],
): string {
  const counted = routes.filter(({ outcome }) => outcome !== 'never-matches');
  const [cluster, ...others] = kept.map((entry) => clusterOf(entry, entries));
  if (cluster === undefined || others.length > 0) return party.failure;
  const isEverywhere = counted.every(({ clusters }) => clusters.length === 1 && clusters[0] === cluster);
  return isEverywhere ? party.failure : `its RPCs to cluster ${cluster} fail`;
}

/** The cluster that a CDS or EDS resource belongs to. */
function clusterOf({ typeUrl, name }: CacheEntry, entries: readonly CacheEntry[]): string | undefined {
  if (typeUrl === RESOURCE_TYPES.CDS) return name;
  if (typeUrl !== RESOURCE_TYPES.EDS) return undefined;
  const user = entries.find(
    (one) => one.resource?.type === 'CDS' && endpointsName(one.name, one.resource.value.discovery) === name,
  );
  return user?.name;
}

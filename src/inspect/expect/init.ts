import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import { byTypeAndName, shortType } from '../../proto/resource-types.js';
import type { Seen, SeenTarget } from '../seen.js';
import type { Follow } from '../source.js';
import { endpointCounts } from './endpoint-counts.js';
import { FORBIDDEN, isForbidden } from './evaluate-findings.js';
import { clusterShares } from './evaluate-rpc.js';
import type { Connecting } from './expectations.js';
import { notReady } from './readiness.js';
import { explained } from './wording.js';

export interface ServedTarget extends SeenTarget {
  /** As it was typed. */
  target: string;
  findings: readonly ProtocolFinding[];
}

/** What is served to targets as they were typed, in the order in which an inspection follows them. */
export function servedTargets(
  typed: readonly string[],
  { targets, findings: all }: Pick<Seen, 'targets' | 'findings'>,
  followed: readonly Follow[],
): ServedTarget[] {
  return followed.flatMap((follow, i): ServedTarget[] => {
    const seen = targets.find(({ scope, channel }) => scope.scope === follow.scope && channel.target === follow.target);
    const target = typed[i];
    if (seen === undefined || target === undefined) return [];
    return [{ ...seen, target, findings: all.filter((finding) => finding.scope === follow.scope) }];
  });
}

/** What a file begins with. */
export interface InitSettings extends Connecting {
  nodeId: string | undefined;
  defaultAuthority: string | undefined;
}

/** An expectations file that holds of what is served now, as data. */
export function expectationsFor(targets: readonly ServedTarget[], settings: InitSettings): object {
  const { nodeId: node_id, defaultAuthority: default_authority, ...connecting } = settings;
  return {
    version: 1,
    ...connecting,
    ...(node_id !== undefined && { node_id }),
    targets: targets.map((served) => targetOf(served, default_authority)),
  };
}

function targetOf(served: ServedTarget, default_authority: string | undefined): object {
  const { target, scope, channel, findings } = served;
  const isReady = notReady('configured', scope, channel) === undefined;
  const rpcs = channel.authority === undefined ? [] : rpcsOf(served);
  const errors = findings.filter((one) => isForbidden(one, { forbid: FORBIDDEN, allow: [] })).map(({ code }) => code);
  const allow = [...new Set(errors)].sort();
  const isNacked = scope.entries.some(({ status }) => status === 'NACKED');
  return {
    target,
    ...(default_authority !== undefined && { default_authority }),
    ...(!isReady && { ready: false }),
    ...(!isNacked && { never: ['NACKED'] }),
    ...(allow.length > 0 && { findings: { allow } }),
    resources: Object.fromEntries(
      [...scope.entries]
        .sort(byTypeAndName)
        .map((entry) => [`${shortType(entry.typeUrl)}/${entry.name}`, resourceOf(entry)]),
    ),
    ...(rpcs.length > 0 && { rpcs }),
  };
}

function resourceOf({ status, error, resource, bytes }: CacheEntry): unknown {
  if (resource?.type === 'EDS' && bytes !== undefined) {
    return { status, endpoints: { healthy: endpointCounts(resource.value, bytes).healthy } };
  }
  if (status === 'RECEIVED_ERROR' && error?.cause === 'server-error')
    return { status, error: statusName(error.status.code) };
  return status;
}

/** One for each method that a route names, and one for all others where a route takes every path. */
function rpcsOf(served: SeenTarget): object[] {
  const { state } = served.channel;
  const routes = state.kind === 'published' ? state.config.virtualHost.routes : [];
  const methods = routes.flatMap(({ match: { path } }) =>
    path.kind === 'path' && /^\/[^/]+\/[^/]+$/.test(path.text) ? [path.text] : [],
  );
  const paths = [...new Set(methods), '/'];
  return paths.flatMap((path) => {
    const view = explained(served, { path, metadata: [] });
    const { status, timeout } = view;
    const isOne = view.paths.every(({ outcome }) => outcome === view.outcome);
    const shares = clusterShares(view);
    if (status === null || !isOne || (path === '/' && shares.size === 0)) return [];
    const [cluster] = shares.keys();
    return [
      {
        ...(path !== '/' && { method: path }),
        expect: {
          status: status.code,
          ...(shares.size === 1 && { cluster }),
          ...(shares.size > 1 && { clusters: Object.fromEntries(shares) }),
          ...(timeout !== null && { timeout: timeout.value === null ? 'none' : `${timeout.value}ms` }),
        },
      },
    ];
  });
}

import type { VirtualHost, XdsConfig } from '../deps/config.js';
import { injected } from './fault.js';
import type { Call } from './match.js';
import { aborts, clusterOutcome, drops, outcomeOf, type Prediction } from './predict.js';
import { type Selection, select } from './select.js';
import { whyNot } from './why-not.js';

type Route = VirtualHost['routes'][number];

/** One of the things that may become of a call, and how often it does. */
export interface PossiblePath {
  share: number;
  route: Route | undefined;
  cluster: string | undefined;
  outcome: Prediction['outcome'];
}

type Path = Pick<PossiblePath, 'share' | 'outcome'>;

const MILLION = 1_000_000;

/**
 * Everything that may become of a call where chance decides: routes that take a part of the calls or share them among clusters,
 * faults (A33), and load assignments that drop some.
 */
export function possiblePaths(config: XdsConfig, call: Call, nodeId: string | undefined): PossiblePath[] {
  const options = { nodeId, random: () => 0 };
  const paths: PossiblePath[] = [];
  let rest = 1;
  for (const route of config.virtualHost.routes) {
    if (rest <= 0) break;
    if (whyNot(route.match, call) !== undefined) continue;
    const taken = rest * Math.min(1, (route.match.fraction ?? MILLION) / MILLION);
    rest -= taken;
    const alone = {
      ...config,
      virtualHost: { ...config.virtualHost, routes: [{ ...route, match: { ...route.match, fraction: undefined } }] },
    };
    const selection = select(alone, call, options.random);
    if (selection.kind !== 'cluster') {
      const outcome = outcomeOf(selection, alone, call, options);
      paths.push({ share: taken, route, cluster: undefined, outcome });
      continue;
    }
    for (const one of selection.shares) {
      for (const { share, outcome } of clusterPaths(one, alone, call, nodeId))
        paths.push({ share: taken * one.share * share, route, cluster: one.cluster, outcome });
    }
  }
  if (rest > 0) {
    const outcome = outcomeOf({ kind: 'no route' }, config, call, options);
    paths.push({ share: rest, route: undefined, cluster: undefined, outcome });
  }
  return paths;
}

type ClusterShare = Extract<Selection, { kind: 'cluster' }>['shares'][number];

/** Faults come before the cluster, and what the cluster drops before its endpoints. */
function clusterPaths(
  { cluster, fault }: ClusterShare,
  config: XdsConfig,
  call: Call,
  nodeId: string | undefined,
): Path[] {
  const { abort } = injected(fault, call);
  const paths: Path[] = abort === undefined ? [] : [{ share: abort.share, outcome: aborts(abort.code) }];
  let rest = 1 - (abort?.share ?? 0);
  const outcome = clusterOutcome(cluster, config, { nodeId, random: () => 0 });
  const leaf = outcome.kind === 'connects' ? config.clusters.get(outcome.leaf) : undefined;
  const dropping = leaf?.kind === 'endpoints' ? (leaf.endpoints.endpoints?.drops ?? []) : [];
  for (const { category, perMillion } of dropping) {
    const share = rest * Math.min(1, perMillion / MILLION);
    if (share <= 0) continue;
    rest -= share;
    paths.push({ share, outcome: drops(category, outcome.kind === 'connects' ? outcome.leaf : cluster) });
  }
  return rest > 0 ? [...paths, { share: rest, outcome }] : paths;
}

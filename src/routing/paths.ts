import { statusTexts } from '../core/status-texts/index.js';
import type { VirtualHost, XdsConfig } from '../deps/config.js';
import { injectedFault } from './fault.js';
import { type CallLimits, delayBeyondTimeout } from './fault-delay.js';
import { clusterState, type LbOptions } from './lb/cluster-state.js';
import type { Pick } from './lb/lb-state.js';
import type { Call } from './match.js';
import { aborts, delayedPastTimeout } from './outcome.js';
import { outcomeOf, type Prediction } from './predict.js';
import { routeMismatch } from './route-mismatch.js';
import { type Selection, select } from './select.js';

type Route = VirtualHost['routes'][number];

/** A possible outcome of a call, and its share. */
export interface PossiblePath {
  share: number;
  route: Route | undefined;
  cluster: string | undefined;
  outcome: Prediction['outcome'];
}

type PathOptions = LbOptions & CallLimits;

const MILLION = 1_000_000;

/** All possible outcomes of a call, by runtime_fraction, weighted clusters, fault injection (A33) and drops. */
export function possiblePaths(config: XdsConfig, call: Call, options: PathOptions): PossiblePath[] {
  const paths: PossiblePath[] = [];
  let rest = 1;
  for (const route of config.virtualHost.routes) {
    if (rest <= 0) break;
    if (routeMismatch(route.match, call) !== undefined) continue;
    const taken = rest * Math.min(1, (route.match.fraction ?? MILLION) / MILLION);
    rest -= taken;
    const singleRouteConfig = {
      ...config,
      virtualHost: { ...config.virtualHost, routes: [{ ...route, match: { ...route.match, fraction: undefined } }] },
    };
    const selection = select(singleRouteConfig, call, () => 0);
    if (selection.kind !== 'cluster') {
      const outcome = outcomeOf(selection, singleRouteConfig, call, options);
      paths.push({ share: taken, route, cluster: undefined, outcome });
      continue;
    }
    for (const one of selection.shares) {
      for (const { share, outcome } of clusterPaths(one, selection, singleRouteConfig, call, options))
        paths.push({ share: taken * one.share * share, route, cluster: one.cluster, outcome });
    }
  }
  if (rest > 0) {
    const outcome = outcomeOf({ kind: 'no route' }, config, call, options);
    paths.push({ share: rest, route: undefined, cluster: undefined, outcome });
  }
  return paths;
}

type ChosenRoute = Extract<Selection, { kind: 'cluster' }>;

/** The fault filter runs before the cluster: it first delays a call, then aborts it. */
function clusterPaths(
  { cluster, fault }: ChosenRoute['shares'][number],
  { action }: ChosenRoute,
  config: XdsConfig,
  call: Call,
  options: PathOptions,
): Pick[] {
  const { abort } = injectedFault(fault, call);
  const delayed = delayBeyondTimeout(fault, call, action, config.listener, options)?.share ?? 0;
  const aborted = (1 - delayed) * (abort?.share ?? 0);
  const rest = 1 - delayed - aborted;
  const paths: Pick[] = delayed > 0 ? [{ share: delayed, outcome: delayedPastTimeout() }] : [];
  if (abort !== undefined && aborted > 0)
    paths.push({ share: aborted, outcome: aborts(abort.code, statusTexts(config.statusTexts)) });
  if (rest <= 0) return paths;
  const { picks } = clusterState(cluster, config, options);
  return [...paths, ...picks.map(({ share, outcome }) => ({ share: share * rest, outcome }))];
}

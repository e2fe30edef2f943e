import type { VirtualHost, XdsConfig } from '../deps/config.js';
import type { Call } from './match.js';
import { clusterOutcome, outcomeOf, type Prediction } from './predict.js';
import { select } from './select.js';
import { whyNot } from './why-not.js';

/** One of the things that may become of a call, and how often it does. */
export interface PossiblePath {
  share: number;
  route: VirtualHost['routes'][number] | undefined;
  cluster: string | undefined;
  outcome: Prediction['outcome'];
}

const MILLION = 1_000_000;

/** Everything that may become of a call where routes take only a part of them, or share them among clusters. */
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
    const shares = selection.kind === 'cluster' && selection.shares.length > 1 ? selection.shares : undefined;
    if (shares === undefined) {
      const cluster = selection.kind === 'cluster' ? selection.cluster : undefined;
      paths.push({ share: taken, route, cluster, outcome: outcomeOf(selection, alone, options) });
    }
    for (const { cluster, share } of shares ?? []) {
      paths.push({ share: taken * share, route, cluster, outcome: clusterOutcome(cluster, alone, options) });
    }
  }
  if (rest > 0) {
    paths.push({
      share: rest,
      route: undefined,
      cluster: undefined,
      outcome: outcomeOf({ kind: 'no route' }, config, options),
    });
  }
  return paths;
}

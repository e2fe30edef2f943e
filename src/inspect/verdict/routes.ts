import { statusName } from '../../base/status.js';
import type { XdsConfig } from '../../deps/config.js';
import { matchText } from '../../resources/match-text.js';
import { type PossiblePath, possiblePaths } from '../../routing/paths.js';
import { ANY_CALL, type Route, withOnly } from '../lone-route.js';
import { shadowedRoutes } from './shadow.js';
import type { Cause, RouteOutcome } from './verdict.js';

type Failure = Extract<PossiblePath['outcome'], { kind: 'fails' }>;
/** The RPCs of a route to one of its clusters, which fail. */
export type FailingPath = { route: Route; cluster: string | undefined; outcome: Failure };
type ExplainFailure = (path: FailingPath) => Cause;

/** The predicted outcome of every route of the virtual host, for any call that matches it. */
export function routeOutcomes(config: XdsConfig, nodeId: string | undefined, explain: ExplainFailure): RouteOutcome[] {
  const shadowed = shadowedRoutes(config.virtualHost.routes);
  return config.virtualHost.routes.map((route) => {
    const place = { index: route.aside.index, match: matchText(route.match) };
    if (shadowed.has(route)) return { ...place, clusters: [], outcome: 'never-matches', ...NO_FAILURE };
    const paths = pathsOf(config, route, nodeId);
    const clusters = [...new Set(paths.flatMap(({ cluster }) => cluster ?? []))];
    return { ...place, clusters, ...outcomeOf(paths, route, explain) };
  });
}

const NO_FAILURE = { failingShare: 0, status: null, cause: null };

function outcomeOf(
  paths: readonly PossiblePath[],
  route: Route,
  explain: ExplainFailure,
): Pick<RouteOutcome, 'outcome' | 'failingShare' | 'status' | 'cause'> {
  const failing = paths.flatMap(({ share, outcome, cluster }) =>
    outcome.kind === 'fails' ? [{ share, outcome, cluster, route }] : [],
  );
  const [first] = failing;
  if (first === undefined) {
    const isWaiting = paths.some(({ outcome }) => outcome.kind === 'waits');
    return { outcome: isWaiting ? 'waiting' : 'ok', ...NO_FAILURE };
  }
  const { code, message } = first.outcome.status;
  return {
    outcome: failing.length === paths.length ? 'fails' : 'partly',
    failingShare: failing.length === paths.length ? 1 : failing.reduce((sum, { share }) => sum + share, 0),
    status: { code: statusName(code), message },
    cause: explain(first),
  };
}

/** The outcomes of the calls that match a route. gRPC drops clusters of weight 0 when it reads the route. */
function pathsOf(config: XdsConfig, route: Route, nodeId: string | undefined): PossiblePath[] {
  return possiblePaths(withOnly(config, route), ANY_CALL, { nodeId });
}

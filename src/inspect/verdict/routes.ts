import { statusCode, statusName } from '../../base/status.js';
import type { ClusterConfig, XdsConfig } from '../../deps/config.js';
import { matchText } from '../../resources/match-text.js';
import { injected } from '../../routing/fault.js';
import { type PossiblePath, possiblePaths } from '../../routing/paths.js';
import { select } from '../../routing/select.js';
import { effectiveTimeout } from '../../routing/timeout.js';
import { ANY_CALL, type Route, withOnly } from '../lone-route.js';
import { shadowedRoutes } from './shadow.js';
import type { Cause, RouteOutcome } from './verdict.js';

type Failure = Extract<PossiblePath['outcome'], { kind: 'fails' }>;
/** The RPCs of a route to one of its clusters, which fail. */
export type FailingPath = { route: Route; cluster: string | undefined; outcome: Failure };
type ExplainFailure = (path: FailingPath) => Cause;

/** The outcome of a route, and the first of its paths that fails. */
interface PredictedRoute {
  route: Omit<RouteOutcome, 'cause'>;
  failing: FailingPath | undefined;
}

/** A configuration never changes, another takes its place; `wait` and live views look at the same one again and again. */
const predicted = new WeakMap<XdsConfig, { nodeId: string | undefined; routes: PredictedRoute[] }>();

/** The predicted outcome of every route of the virtual host, for any call that matches it. */
export function routeOutcomes(config: XdsConfig, nodeId: string | undefined, explain: ExplainFailure): RouteOutcome[] {
  const known = predicted.get(config);
  const routes = known?.nodeId === nodeId && known !== undefined ? known.routes : predictRoutes(config, nodeId);
  predicted.set(config, { nodeId, routes });
  return routes.map(({ route, failing }) => ({ ...route, cause: failing === undefined ? null : explain(failing) }));
}

function predictRoutes(config: XdsConfig, nodeId: string | undefined): PredictedRoute[] {
  const usable = withoutDraining(config);
  const shadowed = shadowedRoutes(config.virtualHost.routes);
  return config.virtualHost.routes.map((route): PredictedRoute => {
    const place = { index: route.aside.index, match: matchText(route.match) };
    if (shadowed.has(route))
      return { route: { ...place, clusters: [], outcome: 'never-matches', ...NO_FAILURE }, failing: undefined };
    const paths = pathsOf(usable, route, nodeId);
    const clusters = [...new Set(paths.flatMap(({ cluster }) => cluster ?? []))];
    const { failing, ...outcome } = outcomeOf(paths, route);
    return { route: { ...place, clusters, ...outcome }, failing };
  });
}

const NO_FAILURE = { failingShare: 0, status: null };

function outcomeOf(
  paths: readonly PossiblePath[],
  route: Route,
): Pick<RouteOutcome, 'outcome' | 'failingShare' | 'status'> & Pick<PredictedRoute, 'failing'> {
  const failing = paths.flatMap(({ share, outcome, cluster }) =>
    outcome.kind === 'fails' ? [{ share, outcome, cluster, route }] : [],
  );
  const [first] = failing;
  if (first === undefined) {
    const isWaiting = paths.some(({ outcome }) => outcome.kind === 'waits');
    return { outcome: isWaiting ? 'waiting' : 'ok', ...NO_FAILURE, failing: undefined };
  }
  const { code, message } = first.outcome.status;
  return {
    outcome: failing.length === paths.length ? 'fails' : 'partly',
    failingShare: failing.length === paths.length ? 1 : failing.reduce((sum, { share }) => sum + share, 0),
    status: { code: statusName(code), message },
    failing: first,
  };
}

/** The outcomes of the calls that match a route. gRPC drops clusters of weight 0 when it reads the route. */
function pathsOf(config: XdsConfig, route: Route, nodeId: string | undefined): PossiblePath[] {
  return possiblePaths(withOnly(config, route), ANY_CALL, nodeId).flatMap((path) =>
    delayed(path, lateFault(config, route, path.cluster)?.share ?? 0, route),
  );
}

/** The RPCs of a route to a cluster that the fault filter delays past their timeout (A33). */
export function lateFault(
  config: XdsConfig,
  route: Route,
  cluster: string | undefined,
): { ms: number; timeoutMs: number; share: number } | undefined {
  const alone = withOnly(config, route);
  const selection = select(alone, ANY_CALL, () => 0);
  if (selection.kind !== 'cluster') return undefined;
  const fault = selection.shares.find((one) => one.cluster === cluster)?.fault;
  const { delay } = injected(fault, ANY_CALL);
  if (delay === undefined) return undefined;
  const { ms: timeoutMs } = effectiveTimeout(selection.action, alone.listener, undefined);
  return timeoutMs !== undefined && delay.ms >= timeoutMs ? { ...delay, timeoutMs } : undefined;
}

function delayed(path: PossiblePath, late: number, route: Route): PossiblePath[] {
  if (late === 0) return [path];
  const status = { code: statusCode('DEADLINE_EXCEEDED'), message: 'Deadline Exceeded' };
  const outcome: Failure = { kind: 'fails', status, blocked: { by: 'fault' } };
  const lost = { ...path, route, share: path.share * late, outcome };
  return late >= 1 ? [lost] : [lost, { ...path, share: path.share * (1 - late) }];
}

/** gRPC keeps DRAINING endpoints for existing sessions only (A55): no new RPC is sent there. */
export function withoutDraining(config: XdsConfig): XdsConfig {
  let clusters: Map<string, ClusterConfig> | undefined;
  for (const [name, cluster] of config.clusters) {
    const endpoints = cluster.kind === 'endpoints' ? cluster.endpoints.endpoints : undefined;
    if (cluster.kind !== 'endpoints' || endpoints === undefined) continue;
    const isDraining = endpoints.priorities.some((localities) =>
      localities.some((locality) => locality.endpoints.some(({ health }) => health === 'draining')),
    );
    if (!isDraining) continue;
    const priorities = endpoints.priorities.map((localities) =>
      localities.map((locality) => ({
        ...locality,
        endpoints: locality.endpoints.filter(({ health }) => health !== 'draining'),
      })),
    );
    clusters ??= new Map(config.clusters);
    clusters.set(name, { ...cluster, endpoints: { ...cluster.endpoints, endpoints: { ...endpoints, priorities } } });
  }
  return clusters === undefined ? config : { ...config, clusters };
}

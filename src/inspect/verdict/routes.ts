import { statusName } from '../../base/status.js';
import type { XdsConfig } from '../../deps/config.js';
import { matchText } from '../../resources/match-text.js';
import { type InjectedFault, injectedFault } from '../../routing/fault.js';
import { delayBeyondTimeout } from '../../routing/fault-delay.js';
import { type PossiblePath, possiblePaths } from '../../routing/paths.js';
import { select } from '../../routing/select.js';
import { ANY_CALL, type Route, withOnly } from '../single-route.js';
import { shadowedRoutes } from './shadowed-routes.js';
import type { Cause, RouteOutcome } from './verdict.js';

type Failure = Extract<PossiblePath['outcome'], { kind: 'fails' }>;
/** The RPCs of a route to one of its clusters, which fail. */
export type FailingPath = { route: Route; cluster: string | undefined; outcome: Failure };
type ExplainFailure = (path: FailingPath) => Cause;

/** The outcome of a route, and its paths that fail, the largest share first. */
interface PredictedRoute {
  route: Omit<RouteOutcome, 'cause'>;
  failing: FailingPath[];
}

/** Caches predictions per configuration, which is immutable: `wait` and live views evaluate the same one repeatedly. */
const predicted = new WeakMap<XdsConfig, { nodeId: string | undefined; routes: PredictedRoute[] }>();

/** The predicted outcome of every route of the virtual host, for any call that matches it. */
export function routeOutcomes(config: XdsConfig, nodeId: string | undefined, explain: ExplainFailure): RouteOutcome[] {
  const known = predicted.get(config);
  const routes = known?.nodeId === nodeId && known !== undefined ? known.routes : predictRoutes(config, nodeId);
  predicted.set(config, { nodeId, routes });
  return routes.map(({ route, failing }) => ({ ...route, cause: joinedCause(failing.map(explain)) }));
}

function predictRoutes(config: XdsConfig, nodeId: string | undefined): PredictedRoute[] {
  const shadowed = shadowedRoutes(config.virtualHost.routes);
  return config.virtualHost.routes.map((route): PredictedRoute => {
    const place = { index: route.displayOnly.index, match: matchText(route.match) };
    if (shadowed.has(route))
      return { route: { ...place, clusters: [], outcome: 'never-matches', ...NO_FAILURE }, failing: [] };
    const paths = pathsOf(config, route, nodeId);
    const clusters = [...new Set(paths.flatMap(({ cluster }) => cluster ?? []))];
    const { failing, ...outcome } = outcomeOf(paths, route);
    return { route: { ...place, clusters, ...outcome }, failing };
  });
}

/** Joins the causes of a weighted route, whose clusters may fail for different reasons; the largest share comes first. */
function joinedCause(causes: readonly Cause[]): Cause | null {
  const [first] = causes;
  if (first === undefined) return null;
  const messages = [...new Set(causes.map(({ message }) => message))];
  const more = messages.length - MAX_CAUSES;
  const rest = more > 0 ? `; ${more} more cause${more === 1 ? '' : 's'}` : '';
  return { ...first, message: `${messages.slice(0, MAX_CAUSES).join('; ')}${rest}` };
}

const MAX_CAUSES = 2;
const NO_FAILURE = { failingShare: 0, status: null };

function outcomeOf(
  paths: readonly PossiblePath[],
  route: Route,
): Pick<RouteOutcome, 'outcome' | 'failingShare' | 'status'> & Pick<PredictedRoute, 'failing'> {
  const failing = paths
    .flatMap(({ share, outcome, cluster }) => (outcome.kind === 'fails' ? [{ share, outcome, cluster, route }] : []))
    .sort((a, b) => b.share - a.share);
  const [first] = failing;
  if (first === undefined) {
    const isWaiting = paths.some(({ outcome }) => outcome.kind === 'waits');
    return { outcome: isWaiting ? 'waiting' : 'ok', ...NO_FAILURE, failing };
  }
  const { code, message } = first.outcome.status;
  return {
    outcome: failing.length === paths.length ? 'fails' : 'partly',
    failingShare: failing.length === paths.length ? 1 : failing.reduce((sum, { share }) => sum + share, 0),
    status: { code: statusName(code), message },
    failing,
  };
}

/** The possible outcomes of RPCs that match a route. gRPC drops clusters of weight 0 when it reads the route. */
function pathsOf(config: XdsConfig, route: Route, nodeId: string | undefined): PossiblePath[] {
  return possiblePaths(withOnly(config, route), ANY_CALL, { nodeId });
}

/** The delay of the fault filter for RPCs of a route to a cluster, if it exceeds their timeout (A33). */
export function lateFault(
  config: XdsConfig,
  route: Route,
  cluster: string | undefined,
): ReturnType<typeof delayBeyondTimeout> {
  return withFault(config, route, cluster, delayBeyondTimeout);
}

/** The delay of the fault filter for RPCs of a route to a cluster, and the share of RPCs that it affects. */
export function faultDelay(config: XdsConfig, route: Route, cluster: string): InjectedFault['delay'] {
  return withFault(config, route, cluster, (fault) => injectedFault(fault, ANY_CALL).delay);
}

function withFault<T>(
  config: XdsConfig,
  route: Route,
  cluster: string | undefined,
  read: (...from: Parameters<typeof delayBeyondTimeout>) => T,
): T | undefined {
  const alone = withOnly(config, route);
  const selection = select(alone, ANY_CALL, () => 0);
  if (selection.kind !== 'cluster') return undefined;
  const fault = selection.shares.find((one) => one.cluster === cluster)?.fault;
  return read(fault, ANY_CALL, selection.action, alone.listener);
}

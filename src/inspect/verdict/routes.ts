import { getOrAdd } from '../../base/get-or-add.js';
import { statusName } from '../../base/status.js';
import type { ClusterConfig, VirtualHost, XdsConfig } from '../../deps/config.js';
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

/** The outcome of RPCs that match a route. Routes with the same action share it. */
interface PredictedAction extends Pick<RouteOutcome, 'clusters' | 'outcome' | 'failingShare' | 'status'> {
  /** The paths that fail, the largest share first. */
  failing: readonly FailingPath[];
  /** Its clusters and their leaves, as the prediction read them. */
  read: readonly (ClusterConfig | undefined)[];
}

/** The outcome of every route of a configuration. */
interface Predicted {
  config: XdsConfig;
  nodeId: string | undefined;
  actions: readonly PredictedAction[];
  /** Without causes, which also depend on the state of the client. */
  outcomes: readonly RouteOutcome[];
}

/** Caches predictions per configuration, which is immutable: `wait` and live views evaluate the same one repeatedly. */
const predicted = new WeakMap<XdsConfig, Predicted>();
/** The last prediction for a virtual host: most new configurations differ from the last one in a cluster or two. */
const lastPredicted = new WeakMap<VirtualHost, Predicted>();

/** The predicted outcome of every route of the virtual host, for any call that matches it. */
export function routeOutcomes(config: XdsConfig, nodeId: string | undefined, explain: ExplainFailure): RouteOutcome[] {
  const known = predicted.get(config);
  const current = known?.nodeId === nodeId && known !== undefined ? known : predictRoutes(config, nodeId);
  predicted.set(config, current);
  lastPredicted.set(config.virtualHost, current);
  const causes = new Map<PredictedAction, Cause | null>();
  const causeOf = (action: PredictedAction): Cause | null =>
    getOrAdd(causes, action, () => joinedCause(action.failing.map(explain)));
  return current.outcomes.map((outcome, i) => {
    const action = current.actions[i] as PredictedAction;
    if (action.failing.length === 0) return outcome;
    return toOutcome(outcome.index, outcome.match, action, causeOf(action));
  });
}

const NEVER_MATCHES: PredictedAction = {
  clusters: [],
  outcome: 'never-matches',
  failingShare: 0,
  status: null,
  failing: [],
  read: [],
};

function predictRoutes(config: XdsConfig, nodeId: string | undefined): Predicted {
  const last = lastPredicted.get(config.virtualHost);
  return last?.nodeId === nodeId && last !== undefined && differsOnlyInClusters(last.config, config)
    ? predictChanged(last, config)
    : predictAll(config, nodeId);
}

function differsOnlyInClusters(before: XdsConfig, now: XdsConfig): boolean {
  const fields = Object.keys({ ...before, ...now }) as (keyof XdsConfig)[];
  return fields.every((field) => field === 'clusters' || before[field] === now[field]);
}

/** Predicts only the actions one of whose clusters has been replaced. Values of the map of clusters are immutable. */
function predictChanged({ actions: before, outcomes, nodeId }: Predicted, config: XdsConfig): Predicted {
  const { routes } = config.virtualHost;
  const renewed = new Map<PredictedAction, PredictedAction>();
  const renew = (action: PredictedAction, route: Route): PredictedAction => {
    const read = clustersOf(config, action.clusters);
    const isSame = read.length === action.read.length && read.every((cluster, i) => cluster === action.read[i]);
    return isSame ? action : predictAction(config, route, nodeId);
  };
  const actions = before.map((action, i) => getOrAdd(renewed, action, () => renew(action, routes[i] as Route)));
  return {
    config,
    nodeId,
    actions,
    outcomes: outcomes.map((outcome, i) => {
      const action = actions[i] as PredictedAction;
      return action === before[i] ? outcome : toOutcome(outcome.index, outcome.match, action, null);
    }),
  };
}

/** What a configuration contains for these clusters and for the leaves of those that are aggregates. */
function clustersOf({ clusters }: XdsConfig, names: readonly string[]): (ClusterConfig | undefined)[] {
  const found: (ClusterConfig | undefined)[] = [];
  for (const name of names) {
    const cluster = clusters.get(name);
    found.push(cluster);
    if (cluster?.kind === 'aggregate') for (const leaf of cluster.leaves) found.push(clusters.get(leaf));
  }
  return found;
}

function predictAll(config: XdsConfig, nodeId: string | undefined): Predicted {
  const { routes } = config.virtualHost;
  const shadowed = shadowedRoutes(routes);
  const known = new Map<Route['action'], PredictedAction>();
  const predict = (route: Route): PredictedAction => predictAction(config, route, nodeId);
  // Overrides can inject faults. No other part of a route changes the outcome.
  const recall = (route: Route): PredictedAction =>
    route.overrides.size > 0 ? predict(route) : getOrAdd(known, route.action, () => predict(route));
  const actions = routes.map((route, i) => (shadowed[i] ? NEVER_MATCHES : recall(route)));
  const outcomes = routes.map(({ displayOnly, match }, i) =>
    toOutcome(displayOnly.index, matchText(match), actions[i] as PredictedAction, null),
  );
  return { config, nodeId, actions, outcomes };
}

/** A literal with all fields: V8 needs three times the memory for an object that it copies from another and extends. */
function toOutcome(
  index: number,
  match: string,
  { clusters, outcome, failingShare, status }: PredictedAction,
  cause: Cause | null,
): RouteOutcome {
  return { index, match, clusters, outcome, failingShare, status, cause };
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

function predictAction(config: XdsConfig, route: Route, nodeId: string | undefined): PredictedAction {
  const paths = pathsOf(config, route, nodeId);
  const clusters = [...new Set(paths.flatMap(({ cluster }) => cluster ?? []))];
  const read = clustersOf(config, clusters);
  const failing = paths
    .flatMap(({ share, outcome, cluster }) => (outcome.kind === 'fails' ? [{ share, outcome, cluster, route }] : []))
    .sort((a, b) => b.share - a.share);
  const [first] = failing;
  if (first === undefined) {
    const isWaiting = paths.some(({ outcome }) => outcome.kind === 'waits');
    return { clusters, outcome: isWaiting ? 'waiting' : 'ok', failingShare: 0, status: null, failing, read };
  }
  const { code, message } = first.outcome.status;
  return {
    clusters,
    outcome: failing.length === paths.length ? 'fails' : 'partly',
    failingShare: failing.length === paths.length ? 1 : failing.reduce((sum, { share }) => sum + share, 0),
    status: { code: statusName(code), message },
    failing,
    read,
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

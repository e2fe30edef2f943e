import type { XdsConfig } from '../../deps/config.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { shortType } from '../../proto/resource-types.js';
import type { Destination } from '../../resources/route-action.js';
import { possiblePaths } from '../../routing/paths.js';
import { explainView } from '../../view/explain.js';
import type { ExplainView } from '../../view/explain-view.js';

type Channel = ScopeSnapshot['channels'][number];
type Route = XdsConfig['virtualHost']['routes'][number];

/** Why a channel is not ready, and what to look at. */
export interface Unready {
  reason: string;
  hints: readonly string[];
}

const ANY_CALL = { path: '/', metadata: [] };
const ANY_PATH = { kind: 'prefix', text: '', caseSensitive: true } as const;

const MAX_NAMES = 3;

/**
 * Whether RPCs have somewhere to go, whichever route they take: there is a whole configuration (A74), nothing newer is
 * waited for, and all that the routes lead to has an endpoint. Routes that fail RPCs by design (a redirect) are passed over.
 */
export class Readiness {
  readonly #nodeId: string | undefined;
  /** A configuration never changes, another takes its place. */
  readonly #broken = new WeakMap<XdsConfig, XdsConfig | 'none'>();

  constructor(nodeId: string | undefined) {
    this.#nodeId = nodeId;
  }

  whyNot(scope: ScopeSnapshot, channel: Channel): Unready | undefined {
    const { state, isWithheld } = channel;
    if (isWithheld && (state.kind === 'published' || state.kind === 'served')) {
      return { reason: `a newer configuration waits for ${awaited(scope)}`, hints: [] };
    }
    if (state.kind === 'served') return undefined;
    if (state.kind === 'none') {
      const { hints } = this.#explained(scope, channel);
      return { reason: `no whole configuration yet: it waits for ${awaited(scope)}`, hints };
    }
    if (state.kind === 'error') {
      const explained = this.#explained(scope, channel);
      // A server that has no listener takes no connections, so that there is no status.
      return explained.status === null ? { reason: state.message, hints: explained.hints } : failing(explained);
    }
    if (state.config.virtualHost.routes.every(({ action }) => action.kind !== 'route')) {
      return { reason: 'no route leads to a cluster', hints: [] };
    }
    const broken = this.#brokenPart(state.config);
    if (broken === 'none') return undefined;
    return failing(this.#explained(scope, { ...channel, state: { kind: 'published', config: broken } }));
  }

  #explained(scope: ScopeSnapshot, channel: Channel): ExplainView {
    const nodeId = this.#nodeId;
    const options = { call: ANY_CALL, deadlineMs: undefined, rules: 'today', nodeId, random: () => 0 } as const;
    return explainView(scope, channel, options);
  }

  /** The configuration with nothing but the first way that leads nowhere. */
  #brokenPart(config: XdsConfig): XdsConfig | 'none' {
    const known = this.#broken.get(config);
    if (known !== undefined) return known;
    const parts = config.virtualHost.routes.flatMap((route) => waysOf(route).map((way) => alone(config, way)));
    // What is dropped or failed on purpose is so for a part of the RPCs.
    const isBroken = (part: XdsConfig): boolean =>
      !possiblePaths(part, ANY_CALL, this.#nodeId).some(
        ({ outcome: { kind } }) => kind === 'connects' || kind === 'unknown',
      );
    const broken = parts.find(isBroken) ?? 'none';
    this.#broken.set(config, broken);
    return broken;
  }
}

/** A route for each cluster that it chooses from, taken by every RPC. */
function waysOf(route: Route): Route[] {
  const { action } = route;
  if (action.kind !== 'route') return [];
  const match = { path: ANY_PATH, headers: [], fraction: undefined };
  const destinations: Destination[] =
    action.destination.kind === 'weighted'
      ? action.destination.clusters.map(({ name }) => ({ kind: 'cluster', name }))
      : [action.destination];
  return destinations.map((destination) => ({ ...route, match, action: { ...action, destination } }));
}

function alone(config: XdsConfig, route: Route): XdsConfig {
  return { ...config, virtualHost: { ...config.virtualHost, routes: [route] } };
}

function failing({ status, hints }: ExplainView): Unready {
  const reason = status === null ? 'RPCs wait' : `an RPC would get ${status.code}: ${status.message}`;
  return { reason, hints };
}

function awaited({ entries }: ScopeSnapshot): string {
  const names = entries.flatMap(({ typeUrl, name, status }) =>
    status === 'REQUESTED' ? [`${shortType(typeUrl)} ${name}`] : [],
  );
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  // Names that DNS has to resolve are no resources.
  return names.length === 0 ? 'the rest of it' : `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}

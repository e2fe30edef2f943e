import type { WatcherUpdate } from '../../core/watcher.js';
import type { ShortType } from '../../proto/resource-types.js';
import type { ConfigState, XdsConfig } from '../config.js';
import type { NeededResource } from '../ports.js';
import { skewedFilters } from './filter-skew.js';
import { danglingKind, type Need, needKey } from './need.js';
import { PendingNeeds } from './pending-needs.js';
import { MIXED_SERVERS, ServerTears } from './server-tears.js';
import type { HeldBack, Tear, TearKind, TornResource, TornRoute } from './tear.js';
import { makeTear, type TearListener, TearLog } from './tear-log.js';
import { OUTCOME, outcomeWithoutA74, SAME_WITHOUT_A74 } from './tear-outcomes.js';

/** The cache and the log, as the tear detector of one target uses them. */
export interface TearPorts extends TearListener {
  /** The grace period: the time for which a name may be missing after its first request without being a tear. */
  graceMs(): number;
  /** The cached state of a resource. */
  resource(type: ShortType, name: string): TornResource;
  hasResource(type: ShortType, name: string): boolean;
  /** Its authority; undefined if it cannot be requested. */
  authority(type: ShortType, name: string): string | undefined;
  /** The spelling of a name in requests. */
  wireName(type: ShortType, name: string): string;
  /** Routes that lead to a cluster or to endpoints. */
  routesTo(type: ShortType, name: string): TornRoute[];
  onHeldBack(heldBack: HeldBack): void;
}

/** Limits the list of held-back configurations. */
const MAX_HELD_BACK = 10_000;

/** Detects the tears of one target: observes what its dependency manager needs, receives and publishes. */
export class TearDetector {
  readonly heldBack: HeldBack[] = [];
  readonly #ports: TearPorts;
  readonly #needs: Record<ShortType, Map<string, Need>> = {
    LDS: new Map(),
    RDS: new Map(),
    CDS: new Map(),
    EDS: new Map(),
  };
  /** Counts the calls of `setNeeds`. A need that the last call did not list is dropped. */
  #round = 0;
  readonly #pending = new PendingNeeds();
  readonly #log: TearLog;
  /** Tears whose error is not published yet. */
  readonly #failing = new Set<Tear>();
  readonly #servers: ServerTears;
  #state: ConfigState = { kind: 'none' };
  #publishedAt = Number.NEGATIVE_INFINITY;
  #checkedFilters: { listener: unknown; virtualHost: unknown } | undefined;
  #wasSkewed = false;

  constructor(ports: TearPorts) {
    this.#ports = ports;
    this.#log = new TearLog(ports);
    this.#servers = new ServerTears(this.#log, ports);
  }

  get tears(): readonly Tear[] {
    return this.#log.tears;
  }

  get hasOpen(): boolean {
    return this.#log.hasOpen;
  }

  /** Sets the resources of these types that the target needs now. Closes the tears of dropped needs. */
  setNeeds(types: readonly ShortType[], needed: Iterable<NeededResource>, now: number): void {
    this.#round++;
    let listed = 0;
    for (const { type, name, cluster } of needed) {
      const known = this.#needs[type].get(name);
      if (known?.round !== this.#round) listed++;
      if (known === undefined) this.#add(type, name, cluster, now);
      else known.round = this.#round;
    }
    // Most calls drop nothing.
    if (types.reduce((sum, type) => sum + this.#needs[type].size, 0) === listed) return;
    for (const type of types) {
      for (const need of this.#needs[type].values()) if (need.round !== this.#round) this.#drop(need, now);
    }
  }

  #add(type: ShortType, name: string, cluster: string | undefined, now: number): void {
    const need: Need = {
      type,
      name,
      cluster,
      neededBy: undefined,
      since: now,
      requestedAt: undefined,
      // It may be cached already.
      arrivedAt: this.#ports.hasResource(type, name) ? now : undefined,
      isPending: false,
      round: this.#round,
    };
    this.#needs[type].set(name, need);
    if (need.arrivedAt !== undefined) return;
    this.#pending.add(need);
    // Stored now, because a later version may name the resource as well.
    if (this.#state.kind === 'published') need.neededBy = this.#neededBy(need);
  }

  /** The resource that names another one, with its current version. */
  #neededBy({ type, cluster }: Need): TornResource | undefined {
    if (type === 'LDS') return undefined;
    const [routes] = type === 'RDS' ? [] : this.#needs.RDS.keys();
    const [listener = ''] = this.#needs.LDS.keys();
    const resource =
      cluster !== undefined
        ? this.#ports.resource('CDS', cluster)
        : routes !== undefined
          ? this.#ports.resource('RDS', routes)
          : this.#ports.resource('LDS', listener);
    // A resource that has not arrived cannot name another one.
    return resource.version === undefined ? undefined : resource;
  }

  #drop(need: Need, now: number): void {
    this.#needs[need.type].delete(need.name);
    this.#pending.delete(need);
    if (this.#log.hasOpen) this.#log.close(needKey(need.type, need.name), 'no-longer-needed', now);
  }

  onRequestSent(type: ShortType, names: readonly string[], now: number): void {
    if (this.#pending.isEmpty) return;
    const requested = new Set(names);
    for (const need of this.#pending) {
      if (need.type !== type || need.requestedAt !== undefined) continue;
      if (!requested.has(need.name) && !requested.has(this.#ports.wireName(type, need.name))) continue;
      this.#pending.markRequested(need, now);
      // Without a grace period, every missing name is a tear.
      if (this.#ports.graceMs() === 0) this.#openPending(need, false);
    }
  }

  /** The stream ended. The next stream requests all names again. */
  onStreamEnded(): void {
    this.#pending.forgetRequests();
  }

  onUpdate(type: ShortType, name: string, update: WatcherUpdate, now: number): void {
    const need = this.#needs[type].get(name);
    if (need === undefined || update.kind === 'OnAmbientError') return;
    if ('error' in update) this.#onError(need, now);
    else this.#onArrival(need, now);
  }

  onPublished(state: ConfigState, now: number): void {
    this.#state = state;
    if (state.kind !== 'published') {
      this.#publishedAt = Number.NEGATIVE_INFINITY;
      for (const key of [MIXED_SERVERS, FILTER_SKEW]) this.#log.close(key, 'no-longer-needed', now);
      return;
    }
    this.#publishedAt = now;
    for (const tear of this.#failing) tear.instead = OUTCOME.publishedError;
    this.#failing.clear();
    this.#checkFilters(state.config, now);
    this.#closeRouteSkew(state.config, now);
  }

  /** A71: an authority fell back to a server of lower priority, or returned. */
  onFallback(authority: string, change: 'down' | 'up', from: string, to: string, now: number): void {
    this.#servers.onFallback(authority, change, from, to, now);
  }

  /** A71: checks for resources from several servers of one authority. */
  checkServers(now: number): void {
    if (this.#state.kind !== 'published') return;
    this.#servers.check(() => Object.values(this.#needs).flatMap((needs) => [...needs.values()]), now);
  }

  nextDeadline(): number | undefined {
    const requestedAt = this.#pending.firstRequestedAt;
    return requestedAt === undefined ? undefined : requestedAt + this.#ports.graceMs();
  }

  /** Opens tears for names that are missing for longer than the grace period. */
  tick(now: number): void {
    const dueAt = this.nextDeadline();
    if (dueAt === undefined || dueAt > now) return;
    const grace = this.#ports.graceMs();
    for (const need of [...this.#pending]) {
      if (need.requestedAt !== undefined && need.requestedAt + grace <= now) this.#openPending(need, false);
    }
  }

  /** The target is no longer followed. */
  close(now: number): void {
    this.#pending.clear();
    this.#log.closeAll(now);
  }

  #onArrival(need: Need, now: number): void {
    if (need.isPending && need.requestedAt !== undefined && this.#state.kind === 'published') {
      const { type, name, since: begin } = need;
      const heldBack = { type, name, begin, end: now };
      this.heldBack.push(heldBack);
      if (this.heldBack.length > MAX_HELD_BACK) this.heldBack.shift();
      this.#ports.onHeldBack(heldBack);
    }
    this.#pending.delete(need);
    need.arrivedAt ??= now;
    // A skew of listener and routes closes when the routes are published.
    if (!this.#log.hasOpen) return;
    const key = needKey(need.type, need.name);
    if (this.#log.get(key)?.kind !== 'listener-route-skew') this.#log.close(key, 'arrived', now);
  }

  /** The resource does not exist or was dropped. */
  #onError(need: Need, now: number): void {
    if (need.isPending) {
      this.#openPending(need, true);
      return;
    }
    if (need.arrivedAt === undefined) {
      const tear = this.#log.get(needKey(need.type, need.name));
      if (tear !== undefined) tear.instead = OUTCOME.publishedError;
      return;
    }
    const isInUse = need.arrivedAt <= this.#publishedAt;
    need.arrivedAt = undefined;
    const kind = isInUse ? 'removed-in-use' : danglingKind(need.type);
    if (kind !== undefined) this.#openTear(need, kind, now, true);
  }

  /** Opens the tear of a pending need. It begins at the time when the resource became needed. */
  #openPending(need: Need, isError: boolean): void {
    this.#pending.delete(need);
    // Before the first configuration, a missing listener or missing routes are not a tear.
    const isFirst = this.#state.kind !== 'published' && (need.type === 'RDS' || need.type === 'LDS');
    const kind = isFirst ? undefined : danglingKind(need.type);
    if (kind !== undefined) this.#openTear(need, kind, need.since, isError);
  }

  #openTear(need: Need, kind: TearKind, begin: number, isError: boolean): void {
    const { type, name } = need;
    const tear = makeTear({
      kind,
      begin,
      resources: [this.#ports.resource(type, name)],
      neededBy: need.neededBy ?? this.#neededBy(need),
      routes: this.#ports.routesTo(type, name),
      wouldHave: outcomeWithoutA74(kind, type, name),
      instead: this.#outcome(kind, isError),
    });
    const isDangling = kind === 'dangling-cluster' || kind === 'dangling-endpoints';
    if (isError && isDangling) this.#failing.add(tear);
    this.#log.open(needKey(type, name), tear);
  }

  #outcome(kind: TearKind, isError: boolean): string {
    if (kind === 'removed-in-use') return OUTCOME.dropped;
    if (this.#state.kind !== 'published') return OUTCOME.queued;
    return isError ? OUTCOME.publishedError : OUTCOME.keptPrevious;
  }

  /** R7.4: C-core uses the new listener with the previous routes until the new routes arrive, which closes the skew. */
  #closeRouteSkew({ routeConfigName }: XdsConfig, now: number): void {
    for (const [key, tear] of this.#log.entries()) {
      if (tear.kind !== 'listener-route-skew' || key === FILTER_SKEW) continue;
      const hasArrived = this.#needs.RDS.get(routeConfigName)?.arrivedAt !== undefined;
      if (hasArrived && key === needKey('RDS', routeConfigName)) this.#log.close(key, 'arrived', now);
      else tear.instead = OUTCOME.usedNewListener;
    }
  }

  /** Only a change opens a tear: a mismatch in the first configuration is an error of the configuration. */
  #checkFilters(config: XdsConfig, now: number): void {
    const { listener, virtualHost } = config;
    if (this.#checkedFilters?.listener === listener && this.#checkedFilters.virtualHost === virtualHost) return;
    const isFirst = this.#checkedFilters === undefined;
    this.#checkedFilters = { listener, virtualHost };
    const skewed = skewedFilters(config);
    if (skewed.length === 0) this.#log.close(FILTER_SKEW, 'arrived', now);
    else if (!isFirst && !this.#wasSkewed) {
      const resources = config.routeConfigName === '' ? [] : [this.#ports.resource('RDS', config.routeConfigName)];
      const outcomes = { wouldHave: SAME_WITHOUT_A74, instead: OUTCOME.usedSkewedFilters };
      const tear = makeTear({ kind: 'listener-route-skew', begin: now, resources, filters: skewed, ...outcomes });
      this.#log.open(FILTER_SKEW, tear);
    }
    this.#wasSkewed = skewed.length > 0;
  }
}

/** The key of a tear between the filters of a listener and the overrides in its routes. */
const FILTER_SKEW = 'filters';

import { earliestOf } from '../../base/earliest.js';
import type { WatcherUpdate } from '../../core/watcher.js';
import type { ConfigState, XdsConfig } from '../config.js';
import type { NeededResource } from '../ports.js';
import { INSTEAD, SAME_WITHOUT_A74, wouldHave } from './consequences.js';
import { skewedFilters } from './filter-skew.js';
import { danglingKind, type Need, needKey } from './need.js';
import { MIXED_SERVERS, ServerTears } from './server-tears.js';
import type { HeldBack, Tear, TearKind, TornResource, TornRoute, TornType } from './tear.js';
import { makeTear, type TearListener, TearLog } from './tear-log.js';

/** What the watch needs of its client. */
export interface TearPorts extends TearListener {
  /** How long a name may be missing after the first request for it: a round trip is no mistake. */
  graceMs(): number;
  /** The cached state of a resource. */
  resource(type: TornType, name: string): TornResource;
  hasResource(type: TornType, name: string): boolean;
  /** Its authority; undefined if it cannot be requested. */
  authority(type: TornType, name: string): string | undefined;
  /** A name as requests spell it. */
  wireName(type: TornType, name: string): string;
  /** Routes that lead to a cluster or to endpoints. */
  routesTo(type: TornType, name: string): TornRoute[];
  heldBack(span: HeldBack): void;
}

/** The number of spans that are kept. */
const MAX_SPANS = 10_000;

/** Finds the tears of one target: observes what its dependency manager needs, receives and publishes. */
export class TearDetector {
  readonly spans: HeldBack[] = [];
  readonly #ports: TearPorts;
  readonly #needs: Record<TornType, Map<string, Need>> = {
    LDS: new Map(),
    RDS: new Map(),
    CDS: new Map(),
    EDS: new Map(),
  };
  /** Counts the calls of `needs`: a need that the last call did not list is dropped. */
  #round = 0;
  readonly #pending = new Set<Need>();
  readonly #log: TearLog;
  /** Tears whose error is not published yet. */
  readonly #failing = new Set<Tear>();
  readonly #servers: ServerTears;
  #state: ConfigState = { kind: 'none' };
  #publishedAt = Number.NEGATIVE_INFINITY;
  #checked: { listener: unknown; virtualHost: unknown } | undefined;
  #wasSkewed = false;

  constructor(ports: TearPorts) {
    this.#ports = ports;
    this.#log = new TearLog(ports);
    this.#servers = new ServerTears(this.#log, ports);
  }

  get tears(): readonly Tear[] {
    return this.#log.tears;
  }

  /** Everything that the target needs now, of these types. The tear of a dropped need closes. */
  needs(types: readonly TornType[], needed: Iterable<NeededResource>, now: number): void {
    this.#round++;
    for (const { type, name, cluster } of needed) {
      const known = this.#needs[type].get(name);
      if (known === undefined) this.#add(type, name, cluster, now);
      else known.round = this.#round;
    }
    for (const type of types) {
      for (const need of this.#needs[type].values()) if (need.round !== this.#round) this.#drop(need, now);
    }
  }

  #add(type: TornType, name: string, cluster: string | undefined, now: number): void {
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
    need.isPending = need.arrivedAt === undefined;
    this.#needs[type].set(name, need);
    if (!need.isPending) return;
    this.#pending.add(need);
    // A later version may name it as well: this one is what made it needed.
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
    // Routes that have not arrived name nothing.
    return resource.version === undefined ? undefined : resource;
  }

  #drop(need: Need, now: number): void {
    this.#needs[need.type].delete(need.name);
    this.#pending.delete(need);
    if (this.#log.hasOpen) this.#log.close(needKey(need.type, need.name), 'no-longer-needed', now);
  }

  requested(type: TornType, names: readonly string[], now: number): void {
    if (this.#pending.size === 0) return;
    const asked = new Set(names);
    for (const need of this.#pending) {
      if (need.type !== type || need.requestedAt !== undefined) continue;
      if (!asked.has(this.#ports.wireName(type, need.name))) continue;
      need.requestedAt = now;
      // Without grace, every missing name is a tear.
      if (this.#ports.graceMs() === 0) this.#tear(need, false);
    }
  }

  /** The stream ended: the next one requests everything again. */
  streamLost(): void {
    for (const need of this.#pending) need.requestedAt = undefined;
  }

  onUpdate(type: TornType, name: string, update: WatcherUpdate, now: number): void {
    const need = this.#needs[type].get(name);
    if (need === undefined || update.kind === 'OnAmbientError') return;
    if ('error' in update) this.#lost(need, now);
    else this.#arrived(need, now);
  }

  published(state: ConfigState, now: number): void {
    this.#state = state;
    if (state.kind !== 'published') {
      this.#publishedAt = Number.NEGATIVE_INFINITY;
      for (const key of [MIXED_SERVERS, FILTERS]) this.#log.close(key, 'no-longer-needed', now);
      return;
    }
    this.#publishedAt = now;
    for (const tear of this.#failing) tear.instead = INSTEAD.publishedError;
    this.#failing.clear();
    this.#checkFilters(state.config, now);
    this.#checkRoutes(state.config, now);
  }

  /** A71: an authority fell back to a server of lower priority, or returned. */
  moved(authority: string, change: 'down' | 'up', from: string, to: string, now: number): void {
    this.#servers.moved(authority, change, from, to, now);
  }

  /** A71: checks for resources from several servers of one authority. */
  checkServers(now: number): void {
    if (this.#state.kind !== 'published') return;
    this.#servers.check(() => Object.values(this.#needs).flatMap((needs) => [...needs.values()]), now);
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#pending, ({ requestedAt }) =>
      requestedAt === undefined ? undefined : requestedAt + this.#ports.graceMs(),
    );
  }

  /** Opens tears for names that are missing for longer than the grace time. */
  tick(now: number): void {
    const grace = this.#ports.graceMs();
    for (const need of [...this.#pending]) {
      if (need.requestedAt !== undefined && need.requestedAt + grace <= now) this.#tear(need, false);
    }
  }

  /** The target is no longer followed. */
  close(now: number): void {
    this.#pending.clear();
    this.#log.closeAll(now);
  }

  #arrived(need: Need, now: number): void {
    if (need.isPending && need.requestedAt !== undefined && this.#state.kind === 'published') {
      const { type, name, since: begin } = need;
      const span = { type, name, begin, end: now };
      this.spans.push(span);
      if (this.spans.length > MAX_SPANS) this.spans.shift();
      this.#ports.heldBack(span);
    }
    this.#settleNeed(need);
    need.arrivedAt ??= now;
    // A skew of listener and routes closes when the routes are in use.
    if (!this.#log.hasOpen) return;
    const key = needKey(need.type, need.name);
    if (this.#log.get(key)?.kind !== 'listener-route-skew') this.#log.close(key, 'arrived', now);
  }

  /** An error in place of the resource: it never arrived, or was dropped. */
  #lost(need: Need, now: number): void {
    if (need.isPending) {
      this.#tear(need, true);
      return;
    }
    if (need.arrivedAt === undefined) {
      const tear = this.#log.get(needKey(need.type, need.name));
      if (tear !== undefined) tear.instead = INSTEAD.publishedError;
      return;
    }
    const isInUse = need.arrivedAt <= this.#publishedAt;
    need.arrivedAt = undefined;
    const kind = isInUse ? 'removed-in-use' : danglingKind(need.type);
    if (kind !== undefined) this.#openNeed(need, kind, now, true);
  }

  /** A pending need becomes a tear, which begins when it was first needed. */
  #tear(need: Need, isError: boolean): void {
    this.#settleNeed(need);
    // Without a published configuration, a missing listener or missing routes tear nothing.
    const isFirst = this.#state.kind !== 'published' && (need.type === 'RDS' || need.type === 'LDS');
    const kind = isFirst ? undefined : danglingKind(need.type);
    if (kind !== undefined) this.#openNeed(need, kind, need.since, isError);
  }

  #settleNeed(need: Need): void {
    need.isPending = false;
    this.#pending.delete(need);
  }

  #openNeed(need: Need, kind: TearKind, begin: number, isError: boolean): void {
    const { type, name } = need;
    const tear = makeTear({
      kind,
      begin,
      resources: [this.#ports.resource(type, name)],
      neededBy: need.neededBy ?? this.#neededBy(need),
      routes: this.#ports.routesTo(type, name),
      wouldHave: wouldHave(kind, type, name),
      instead: this.#instead(kind, isError),
    });
    const isDangling = kind === 'dangling-cluster' || kind === 'dangling-endpoints';
    if (isError && isDangling) this.#failing.add(tear);
    this.#log.open(needKey(type, name), tear);
  }

  #instead(kind: TearKind, isError: boolean): string {
    if (kind === 'removed-in-use') return INSTEAD.dropped;
    if (this.#state.kind !== 'published') return INSTEAD.queued;
    return isError ? INSTEAD.publishedError : INSTEAD.keptPrevious;
  }

  /** R7.4: C-core uses a new listener with the previous routes. */
  #checkRoutes({ routeConfigName }: XdsConfig, now: number): void {
    for (const [key, tear] of this.#log.entries()) {
      if (tear.kind !== 'listener-route-skew' || key === FILTERS) continue;
      const hasArrived = this.#needs.RDS.get(routeConfigName)?.arrivedAt !== undefined;
      if (hasArrived && key === needKey('RDS', routeConfigName)) this.#log.close(key, 'arrived', now);
      else tear.instead = INSTEAD.usedNewListener;
    }
  }

  /** Only a change is a tear: a mismatch from the start is a mistake of the configuration. */
  #checkFilters(config: XdsConfig, now: number): void {
    const { listener, virtualHost } = config;
    if (this.#checked?.listener === listener && this.#checked.virtualHost === virtualHost) return;
    const isFirst = this.#checked === undefined;
    this.#checked = { listener, virtualHost };
    const skewed = skewedFilters(config);
    if (skewed.length === 0) this.#log.close(FILTERS, 'arrived', now);
    else if (!isFirst && !this.#wasSkewed) {
      const resources = config.routeConfigName === '' ? [] : [this.#ports.resource('RDS', config.routeConfigName)];
      const texts = { wouldHave: SAME_WITHOUT_A74, instead: INSTEAD.usedSkewedFilters };
      const tear = makeTear({ kind: 'listener-route-skew', begin: now, resources, filters: skewed, ...texts });
      this.#log.open(FILTERS, tear);
    }
    this.#wasSkewed = skewed.length > 0;
  }
}

/** The key of a tear between the filters of a listener and the overrides in its routes. */
const FILTERS = 'filters';

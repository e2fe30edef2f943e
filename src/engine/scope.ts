import { seededRandom } from '../base/random.js';
import { type ClientOptions, type ClientSnapshot, type WireInput, XdsClient } from '../core/client.js';
import type { Effect, Notification } from '../core/effect.js';
import type { Input, QueryId, Resolution, WatcherId } from '../core/input.js';
import type { ConfigState } from '../deps/config.js';
import { Follower } from './follower.js';

export interface ScopeOptions extends ClientOptions {
  newWatcherId: () => WatcherId;
  newQueryId: () => QueryId;
}

/** A channel of a scope: a target with what became of it. */
interface ChannelSnapshot {
  target: string;
  listener: string;
  authority: string | undefined;
  state: ConfigState;
  /** Since when that is so. */
  since: number;
  /** Something newer has arrived in part. */
  isWithheld: boolean;
  /** Clusters that RPCs hold, with how many do. */
  held: ReadonlyMap<string, number>;
}

export interface ScopeSnapshot extends ClientSnapshot {
  channels: ChannelSnapshot[];
}

/** One client_scope: an XdsClient, and whoever follows targets on it (A71). */
export class Scope {
  readonly #options: ScopeOptions;
  readonly #client: XdsClient;
  readonly #followers = new Map<string, Follower>();
  readonly #byWatcher = new Map<WatcherId, Follower>();
  readonly #byQuery = new Map<QueryId, Follower>();
  readonly #random: () => number;
  readonly #effects: Effect[] = [];

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#client = new XdsClient(options);
    this.#random = seededRandom(options.seed + 1);
  }

  handle(input: Input, now: number): Effect[] {
    switch (input.kind) {
      case 'watch':
        this.#client.watch(input.watcher, input.typeUrl, input.name, now);
        break;
      case 'unwatch':
        this.#client.unwatch(input.watcher, false, now);
        break;
      case 'done':
        this.#client.doneReading(input.reading);
        break;
      case 'follow':
        this.#follow(input, now);
        break;
      case 'unfollow':
        this.#followers.get(input.target)?.close();
        this.#followers.delete(input.target);
        break;
      case 'hold':
        this.#followers.get(input.target)?.hold(input.cluster);
        break;
      case 'release':
        this.#followers.get(input.target)?.release(input.cluster);
        break;
      case 'resolved':
        this.#resolved(input.query, input.result, now);
        break;
      default:
        this.#wire(input, now);
    }
    return this.#finish(now);
  }

  nextDeadline(): number | undefined {
    let earliest = this.#client.nextDeadline();
    for (const follower of this.#followers.values()) {
      const deadline = follower.nextDeadline();
      if (deadline !== undefined && (earliest === undefined || deadline < earliest)) earliest = deadline;
    }
    return earliest;
  }

  snapshot(): ScopeSnapshot {
    const channels = [...this.#followers.values()].map(({ followed, state, since, isWithheld, held }) => ({
      ...followed,
      state,
      since,
      isWithheld,
      held,
    }));
    return { ...this.#client.snapshot(), channels };
  }

  /** Nobody watches or follows anything in it. */
  get isIdle(): boolean {
    return this.#followers.size === 0 && this.#client.isIdle;
  }

  #wire(input: WireInput, now: number): void {
    this.#client.handle(input, now);
    if (input.kind === 'tick') for (const follower of this.#followers.values()) follower.tick(now);
  }

  #follow({ target, listener, authority }: Extract<Input, { kind: 'follow' }>, now: number): void {
    if (this.#followers.has(target)) return;
    let self: Follower | undefined;
    const early: WatcherId[] = [];
    const ports = {
      watch: (typeUrl: string, name: string): WatcherId => {
        const watcher = this.#options.newWatcherId();
        if (self === undefined) early.push(watcher);
        else this.#byWatcher.set(watcher, self);
        this.#client.watch(watcher, typeUrl, name, this.#now);
        return watcher;
      },
      unwatch: (watcher: WatcherId, isDelayed = false): void => {
        this.#byWatcher.delete(watcher);
        this.#client.unwatch(watcher, isDelayed, this.#now);
      },
      resolve: (host: string, port: number): QueryId => {
        const query = this.#options.newQueryId();
        if (self !== undefined) this.#byQuery.set(query, self);
        this.#effects.push({ kind: 'resolve', query, host, port });
        return query;
      },
      publish: (state: ConfigState): void => {
        if (self !== undefined) this.#publish(self, state);
      },
    };
    this.#now = now;
    self = new Follower({ target, listener, authority }, this.#options.policies, this.#random, ports, now);
    for (const watcher of early) this.#byWatcher.set(watcher, self);
    this.#followers.set(target, self);
  }

  /** The time of the step that is being worked on. */
  #now = 0;

  #publish(follower: Follower, state: ConfigState): void {
    follower.state = state;
    follower.since = this.#now;
    const { target } = follower.followed;
    const who = { at: this.#now, scope: this.#options.scope, target };
    const error = state.kind === 'error' ? state.message : undefined;
    const clusters = state.kind === 'published' ? state.config.clusters.size : 0;
    const change = state.kind === 'error' ? ('error' as const) : ('published' as const);
    this.#effects.push({ kind: 'event', event: { kind: 'config', ...who, change, error, clusters } });
  }

  #resolved(query: QueryId, result: Resolution, now: number): void {
    this.#byQuery.get(query)?.resolved(query, result, now);
    this.#byQuery.delete(query);
  }

  /** Works on what followers are told until nothing more comes of it; then requests are written. */
  #finish(now: number): Effect[] {
    this.#now = now;
    do this.#takeEffects();
    while (this.#settle());
    this.#client.flush(now);
    this.#takeEffects();
    return this.#effects.splice(0);
  }

  #settle(): boolean {
    let isBusy = false;
    for (const follower of this.#followers.values()) if (follower.settle()) isBusy = true;
    return isBusy;
  }

  #takeEffects(): void {
    for (let effects = this.#client.takeEffects(); effects.length > 0; effects = this.#client.takeEffects()) {
      // C-core's answer to a response does not wait for what watchers make of it (R1.35).
      this.#client.wordRequests(this.#now);
      for (const effect of effects) {
        if (effect.kind === 'notify' && effect.watcher < 0) this.#tell(effect);
        else this.#effects.push(effect);
      }
    }
  }

  #tell({ watcher, told, reading }: Notification): void {
    const follower = this.#byWatcher.get(watcher);
    follower?.told(watcher, told);
    if (!this.#options.policies.worksInSteps) {
      follower?.settle();
      this.#client.wordRequests(this.#now);
    }
    if (reading !== undefined) this.#client.doneReading(reading);
  }
}

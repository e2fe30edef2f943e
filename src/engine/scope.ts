import { seededRandom } from '../base/random.js';
import { type ClientOptions, type ClientSnapshot, type WireInput, XdsClient } from '../core/client.js';
import type { Effect, Notification } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { Input, QueryId, Resolution, WatcherId } from '../core/input.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { ConfigState } from '../deps/config.js';
import type { FollowerPorts } from '../deps/ports.js';
import type { HeldBack, Tear, TornType } from '../deps/tears/tear.js';
import { TearWatch } from '../deps/tears/tear-watch.js';
import { RESOURCE_TYPES, shortType } from '../proto/resource-types.js';
import { type Followed, Follower } from './follower.js';
import { WireNotes } from './wire-notes.js';

export interface ScopeOptions extends ClientOptions {
  newWatcherId: () => WatcherId;
  newQueryId: () => QueryId;
  /** How long a name may be missing before it is a tear. */
  tearGraceMs: number;
}

/** A channel of a scope: a target with what became of it. */
interface ChannelSnapshot extends Followed {
  state: ConfigState;
  /** Since when that is so. */
  since: number;
  /** Something newer has arrived in part. */
  isWithheld: boolean;
  /** Clusters that RPCs hold, with how many do. */
  held: ReadonlyMap<string, number>;
  /** What a client without A74 would have acted on, and what it would have waited for in any case. */
  tears: readonly Tear[];
  heldBack: readonly HeldBack[];
  /** What it needs, where its scope has other targets besides; else all that the scope has (A71). */
  entries?: readonly CacheEntry[];
}

export interface ScopeSnapshot extends ClientSnapshot {
  channels: ChannelSnapshot[];
  /** What is known of a resource, by any spelling of its name (R6.8). */
  entry(typeUrl: string, name: string): CacheEntry | undefined;
}

interface Watching {
  follower: Follower;
  type: TornType;
  name: string;
}

/** One client_scope: an XdsClient, and whoever follows targets on it (A71). */
export class Scope {
  readonly #options: ScopeOptions;
  readonly #client: XdsClient;
  readonly #followers = new Map<string, Follower>();
  readonly #byWatcher = new Map<WatcherId, Watching>();
  readonly #byQuery = new Map<QueryId, Follower>();
  readonly #wireNotes = new WireNotes();
  readonly #random: () => number;
  readonly #effects: Effect[] = [];
  /** The time of the step that is being worked on. */
  #now = 0;
  /** Watchers that were told something in this step. */
  readonly #told = new Set<WatcherId>();
  /** A server has spoken or been left in this step. */
  #hasServerNews = false;

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#client = new XdsClient(options);
    this.#random = seededRandom(options.seed + 1);
  }

  handle(input: Input, now: number): Effect[] {
    this.#now = now;
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
        this.#followers.get(input.target)?.close(now);
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
    const channels = [...this.#followers.values()].map(({ followed, state, since, isWithheld, held, tears }) => ({
      ...followed,
      state,
      since,
      isWithheld,
      held,
      tears: tears.tears,
      heldBack: tears.spans,
    }));
    return { ...this.#client.snapshot(), channels, entry: (typeUrl, name) => this.#client.entry(typeUrl, name) };
  }

  /** Nobody watches or follows anything in it. */
  get isIdle(): boolean {
    return this.#followers.size === 0 && this.#client.isIdle;
  }

  /** Lets go of what is still open. */
  close(now: number): Effect[] {
    this.#client.close(now);
    return this.#finish(now);
  }

  #wire(input: WireInput, now: number): void {
    if (input.kind === 'sent') this.#requestLeft(input.stream, now);
    this.#client.handle(input, now);
    if (input.kind === 'tick') for (const follower of this.#followers.values()) follower.tick(now);
  }

  #requestLeft(stream: number, now: number): void {
    const request = this.#wireNotes.sent(stream, now);
    if (request === undefined || !isTornType(request.type)) return;
    for (const { tears } of this.#followers.values()) tears.requested(request.type, request.names, now);
  }

  #follow({ target, listener, authority }: Extract<Input, { kind: 'follow' }>, now: number): void {
    if (this.#followers.has(target)) return;
    const followed = { target, listener, authority };
    const follower = new Follower(followed, this.#tearsOf(target), now);
    this.#followers.set(target, follower);
    follower.start(this.#options.policies, this.#random, this.#portsOf(follower));
  }

  #portsOf(follower: Follower): FollowerPorts {
    return {
      watch: (typeUrl, name) => {
        const watcher = this.#options.newWatcherId();
        this.#byWatcher.set(watcher, { follower, type: shortType(typeUrl) as TornType, name });
        this.#client.watch(watcher, typeUrl, name, this.#now);
        return watcher;
      },
      unwatch: (watcher, isDelayed = false) => {
        this.#byWatcher.delete(watcher);
        this.#client.unwatch(watcher, isDelayed, this.#now);
      },
      resolve: (host, port) => {
        const query = this.#options.newQueryId();
        this.#byQuery.set(query, follower);
        this.#effects.push({ kind: 'resolve', query, host, port });
        return query;
      },
      publish: (state) => this.#publish(follower, state),
      needs: (types, needed) => follower.tears.needs(types, needed, this.#now),
    };
  }

  #tearsOf(target: string): TearWatch {
    const entry = (type: TornType, name: string) => this.#client.entry(RESOURCE_TYPES[type], name);
    const log = (change: 'opened' | 'closed', tear: Tear): void => {
      const { kind, ...facts } = tear;
      this.#log({ kind: 'tear', ...this.#who(target), change, tear: kind, ...facts });
    };
    return new TearWatch({
      graceMs: () => {
        const { tearGraceMs } = this.#options;
        return tearGraceMs === 0 ? 0 : Math.max(tearGraceMs, 2 * this.#wireNotes.roundTripMs);
      },
      resource: (type, name) => {
        const known = entry(type, name);
        const isUsed = known?.resource !== undefined;
        const [version, server] = isUsed ? [known.version, known.server] : [undefined, undefined];
        return { type, name, version, server, status: known?.status };
      },
      hasResource: (type, name) => entry(type, name)?.resource !== undefined,
      authority: (type, name) => entry(type, name)?.authority,
      wireName: (type, name) => entry(type, name)?.name ?? name,
      routesTo: (type, name) => this.#followers.get(target)?.routesTo(type, name) ?? [],
      opened: (tear) => log('opened', tear),
      closed: (tear) => log('closed', tear),
      heldBack: ({ type, name, begin, end }) => {
        const resources = [{ type, name, version: undefined, server: undefined, status: undefined }];
        const rest = { resources, routes: [], wouldHave: '', instead: '' };
        this.#log({ kind: 'tear', ...this.#who(target), change: 'held-back', tear: undefined, begin, end, ...rest });
      },
    });
  }

  #who(target: string): { at: number; scope: string; target: string } {
    return { at: this.#now, scope: this.#options.scope, target };
  }

  #log(event: Event): void {
    this.#effects.push({ kind: 'event', event });
  }

  #publish(follower: Follower, state: ConfigState): void {
    follower.state = state;
    follower.since = this.#now;
    const error = state.kind === 'error' ? state.message : undefined;
    const clusters = state.kind === 'published' ? state.config.clusters.size : 0;
    const change = state.kind === 'error' ? ('error' as const) : ('published' as const);
    this.#log({ kind: 'config', ...this.#who(follower.followed.target), change, error, clusters });
    follower.tears.published(state, this.#now);
  }

  #resolved(query: QueryId, result: Resolution, now: number): void {
    this.#byQuery.get(query)?.resolved(query, result, now);
    this.#byQuery.delete(query);
  }

  /** Works on what followers are told until nothing more comes of it; then requests are written. */
  #finish(now: number): Effect[] {
    do this.#takeEffects();
    while (this.#settle());
    this.#client.flush(now);
    this.#takeEffects();
    if (this.#hasServerNews) for (const follower of this.#followers.values()) follower.checkServers(now);
    this.#hasServerNews = false;
    this.#told.clear();
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
        if (effect.kind === 'notify' && effect.watcher < 0) {
          this.#tell(effect);
          continue;
        }
        this.#effects.push(effect);
        if (effect.kind === 'event') this.#observe(effect.event);
      }
    }
  }

  #observe(event: Event): void {
    this.#wireNotes.observe(event);
    if (event.kind === 'response') this.#hasServerNews = true;
    if (event.kind === 'stream' && event.change === 'ended') {
      for (const { tears } of this.#followers.values()) tears.streamLost();
    }
    if (event.kind !== 'fallback') return;
    this.#hasServerNews = true;
    const { authority, change, from, server } = event;
    for (const { tears } of this.#followers.values()) tears.moved(authority, change, from, server, this.#now);
  }

  /** Spoken of twice in one response: C-core has worked on what was said first. */
  #beforeTelling(follower: Follower, watcher: WatcherId): void {
    if (this.#told.has(watcher)) {
      follower.settle();
      this.#client.wordRequests(this.#now);
    }
    this.#told.add(watcher);
  }

  #tell({ watcher, told, reading, isConnection }: Notification): void {
    const watching = this.#byWatcher.get(watcher);
    if (watching !== undefined) {
      const { follower, type, name } = watching;
      const { worksInSteps } = this.#options.policies;
      if (!worksInSteps) this.#beforeTelling(follower, watcher);
      // A lost connection is nobody's gap in a configuration.
      if (!isConnection) follower.tears.told(type, name, told, this.#now);
      follower.told(watcher, type, name, told);
      if (!worksInSteps) follower.settleAtOnce();
      if (!worksInSteps) this.#client.wordRequests(this.#now);
    }
    if (reading !== undefined) this.#client.doneReading(reading);
  }
}

function isTornType(type: string): type is TornType {
  return Object.hasOwn(RESOURCE_TYPES, type);
}

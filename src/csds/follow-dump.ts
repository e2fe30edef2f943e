import type { Status } from '../base/status.js';
import { fromBytes, parseUri, toBytes } from '../base/uri.js';
import type { Policies } from '../bootstrap/policies.js';
import { serverAddress, serverTarget } from '../bootstrap/target.js';
import type { QueryId, Resolution } from '../core/input.js';
import { MetricCounters } from '../core/metrics.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { InternalWatcher, WatcherUpdate } from '../core/watcher.js';
import type { ConfigState } from '../deps/config.js';
import { DependencyManager } from '../deps/dependency-manager.js';
import type { FollowerPorts } from '../deps/ports.js';
import { ServerFollower } from '../deps/server-follower.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { RESOURCE_TYPES, type ShortType, shortType } from '../proto/resource-types.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { scopeKind } from './scope-kind.js';
import type { ValidatedDump } from './validate-dump.js';

export interface FollowOptions {
  policies: Policies;
  now: number;
  /** gRPC's channel option, which CSDS does not tell. */
  defaultAuthority?: string | undefined;
  /** What became of host names, by `host:port`; CSDS does not tell that either. */
  resolutions: ReadonlyMap<string, Resolution>;
}

/** A target of which nothing can be said, since a resource on its way is not told. */
interface IncompleteTarget {
  target: string;
  type: string;
  name: string;
  /** The client knows it, but does not tell what it holds, or it holds what C-core would not take. */
  isListed: boolean;
}

export interface FollowedDump extends ScopeSnapshot {
  unfollowed: IncompleteTarget[];
}

type Channel = ScopeSnapshot['channels'][number];
type DumpTarget = Pick<Channel, 'target' | 'listener' | 'authority'>;

/** Another client as a scope of one's own: its targets are followed through what it has (A74). */
export function followDump(validated: ValidatedDump, options: FollowOptions): FollowedDump {
  const { entries, dump } = validated;
  const ways = followedBy(validated, options).map((followed) => new DumpWalk(followed, validated, options).end());
  return {
    scope: scopeKind(dump.clientScope).scope,
    authorities: [],
    entries,
    metrics: new MetricCounters().read([], entries),
    channels: ways.flatMap((way) => ('channel' in way ? way.channel : [])),
    unfollowed: ways.flatMap((way) => ('unfollowed' in way ? way.unfollowed : [])),
    entry: validated.entry,
  };
}

/** The host names of clusters that are found by DNS. */
export function hostsIn({ entries }: ValidatedDump): { host: string; port: number }[] {
  return entries.flatMap(({ resource }) => {
    const discovery = resource?.type === 'CDS' ? resource.value.discovery : undefined;
    return discovery?.kind === 'logical dns' ? [{ host: discovery.host, port: discovery.port }] : [];
  });
}

/** Whoever has listeners has targets: the one that the scope names, or one a listener. */
function followedBy({ dump, entries }: ValidatedDump, { defaultAuthority }: FollowOptions): DumpTarget[] {
  const meaning = scopeKind(dump.clientScope);
  const listeners = entries.filter(({ typeUrl }) => typeUrl === RESOURCE_TYPES.LDS);
  return listeners.map(({ name: listener, resource }): DumpTarget => {
    // A client that was sent a listener for servers is still a client.
    if (meaning.kind === 'target' && listeners.length === 1) {
      return { target: meaning.scope, listener, authority: defaultAuthority ?? meaning.dataPlaneAuthority };
    }
    const served = resource?.type === 'LDS' && resource.value.kind === 'server' ? resource.value.address : undefined;
    if (served !== undefined || meaning.kind === 'server') {
      return { target: serverTarget(served ?? listener), listener, authority: undefined };
    }
    const id = idOf(listener);
    return { target: `xds:///${id}`, listener, authority: defaultAuthority ?? id };
  });
}

/** `xdstp://a/envoy.config.listener.v3.Listener/greeter` is the listener of `greeter`, unless a template says otherwise. */
function idOf(listener: string): string {
  const uri = listener.startsWith('xdstp:') ? parseUri(toBytes(listener)) : undefined;
  return uri === undefined ? listener : fromBytes(uri.path.split('/').slice(2).join('/'));
}

interface Watch {
  watcher: InternalWatcher;
  type: ShortType;
  name: string;
  entry: CacheEntry | undefined;
}

/** One target, from its listener to its endpoints, by what the dump has. */
class DumpWalk {
  readonly #followed: DumpTarget;
  readonly #validated: ValidatedDump;
  readonly #options: FollowOptions;
  readonly #watches: Watch[] = [];
  readonly #queries: { query: QueryId; key: string }[] = [];
  readonly #client: DependencyManager | undefined;
  readonly #server: ServerFollower | undefined;
  #state: ConfigState = { kind: 'none' };
  #lastQuery = 0;

  constructor(followed: DumpTarget, validated: ValidatedDump, options: FollowOptions) {
    this.#followed = followed;
    this.#validated = validated;
    this.#options = options;
    const { listener, authority, target } = followed;
    const { policies } = options;
    const ports = this.#ports();
    if (authority === undefined) {
      this.#server = new ServerFollower(listener, serverAddress(target) ?? target, ports);
    } else this.#client = new DependencyManager({ listener, authority, policies, random: () => 0 }, ports);
  }

  /** Nowhere, if the dump does not say enough: without contents, or with some that C-core would not take. */
  end(): { channel: Channel } | { unfollowed: IncompleteTarget } {
    this.#tellAll();
    const untold = this.#watches.find(({ entry }) => isUntold(entry));
    if (this.#state.kind === 'none' && untold !== undefined) {
      const { type, name, entry } = untold;
      return { unfollowed: { target: this.#followed.target, type, name, isListed: entry !== undefined } };
    }
    const times = this.#watches.flatMap(({ entry }) => entry?.updatedAt ?? []);
    const channel: Channel = {
      ...this.#followed,
      state: this.#state,
      since: times.reduce((latest, time) => Math.max(latest, time), 0) || this.#options.now,
      isWithheld: (this.#client ?? this.#server)?.isWithheld === true,
      held: new Map(),
      tears: [],
      heldBack: [],
      entries: this.#watches.flatMap(({ entry }) => entry ?? []),
    };
    return { channel };
  }

  #ports(): FollowerPorts {
    return {
      watch: (typeUrl, name) => {
        const watcher: InternalWatcher = { kind: 'internal' };
        const entry = this.#validated.entry(typeUrl, name);
        this.#watches.push({ watcher, type: shortType(typeUrl) as ShortType, name, entry });
        return watcher;
      },
      unwatch: () => {},
      resolve: (host, port) => {
        const query = ++this.#lastQuery;
        this.#queries.push({ query, key: joinHostPort(host, port) });
        return query;
      },
      publish: (state) => {
        this.#state = state;
      },
      setNeeds: () => {},
    };
  }

  /** What is told leads to more watches, which are told as well. */
  #tellAll(): void {
    const { now, resolutions } = this.#options;
    let told = 0;
    do {
      for (; told < this.#watches.length; told++) this.#tell(this.#watches[told] as Watch);
      for (const { query, key } of this.#queries.splice(0)) {
        const result = resolutions.get(key);
        if (result !== undefined) this.#client?.onResolved(query, result, now);
      }
    } while (this.#client?.processUpdates() === true || told < this.#watches.length);
  }

  #tell({ watcher, type, name, entry }: Watch): void {
    const { resource, error } = entry ?? {};
    const tell = (update: WatcherUpdate): void => {
      this.#client?.onUpdate(type, name, update);
      this.#server?.onUpdate(watcher, update);
    };
    if (resource !== undefined) tell({ kind: 'OnResourceChanged', resource });
    if (error === undefined || (resource === undefined && isUntold(entry))) return;
    const status = this.#withNode(error.status);
    tell(
      resource === undefined ? { kind: 'OnResourceChanged', error: status } : { kind: 'OnAmbientError', error: status },
    );
  }

  /** R3.4: errors name the node. */
  #withNode({ code, message }: Status): Status {
    const { node } = this.#validated.dump;
    return { code, message: node === undefined ? message : `${message} (node ID:${node.id})` };
  }
}

/** The client has it, or may have it, but what it holds is not known here. */
function isUntold(entry: CacheEntry | undefined): boolean {
  if (entry === undefined) return true;
  if (entry.resource !== undefined) return false;
  return entry.status === 'ACKED' || entry.status === 'UNKNOWN' || entry.bytes !== undefined;
}

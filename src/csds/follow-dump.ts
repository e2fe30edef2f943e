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
  /** gRPC's channel option, which CSDS does not contain. */
  defaultAuthority?: string | undefined;
  /** Resolved host names by `host:port`, which CSDS does not contain either. */
  resolutions: ReadonlyMap<string, Resolution>;
}

/** A target that cannot be evaluated, because CSDS does not contain one of its resources. */
interface IncompleteTarget {
  target: string;
  type: string;
  name: string;
  /** The dump lists the resource, but without contents or with contents that C-core rejects. */
  isListed: boolean;
}

export interface FollowedDump extends ScopeSnapshot {
  unfollowed: IncompleteTarget[];
}

type Channel = ScopeSnapshot['channels'][number];
type DumpTarget = Pick<Channel, 'target' | 'listener' | 'authority'>;

/** Converts another client into a scope: follows its targets through its cached resources (A74). */
export function followDump(validated: ValidatedDump, options: FollowOptions): FollowedDump {
  const { entries, dump } = validated;
  const results = targetsOf(validated, options).map((followed) => new DumpWalk(followed, validated, options).run());
  return {
    scope: scopeKind(dump.clientScope).scope,
    authorities: [],
    entries,
    metrics: new MetricCounters().read([], entries),
    channels: results.flatMap((result) => ('channel' in result ? result.channel : [])),
    unfollowed: results.flatMap((result) => ('unfollowed' in result ? result.unfollowed : [])),
    entry: validated.entry,
  };
}

/** Returns the host names of LOGICAL_DNS clusters. */
export function hostsIn({ entries }: ValidatedDump): { host: string; port: number }[] {
  return entries.flatMap(({ resource }) => {
    const discovery = resource?.type === 'CDS' ? resource.value.discovery : undefined;
    return discovery?.kind === 'logical dns' ? [{ host: discovery.host, port: discovery.port }] : [];
  });
}

/** Returns the targets of a client: the one that its scope names, or one per listener. */
function targetsOf({ dump, entries }: ValidatedDump, { defaultAuthority }: FollowOptions): DumpTarget[] {
  const scope = scopeKind(dump.clientScope);
  // Istio reports a state per type, without names.
  const listeners = entries.filter(({ typeUrl, name }) => typeUrl === RESOURCE_TYPES.LDS && name !== '');
  return listeners.map(({ name: listener, resource }): DumpTarget => {
    // A client may receive a listener for servers by mistake.
    if (scope.kind === 'target' && listeners.length === 1) {
      return { target: scope.scope, listener, authority: defaultAuthority ?? scope.dataPlaneAuthority };
    }
    const served = resource?.type === 'LDS' && resource.value.kind === 'server' ? resource.value.address : undefined;
    if (served !== undefined || scope.kind === 'server') {
      return { target: serverTarget(served ?? listener), listener, authority: undefined };
    }
    const id = idOf(listener);
    return { target: `xds:///${id}`, listener, authority: defaultAuthority ?? id };
  });
}

/** Returns `greeter` for `xdstp://a/envoy.config.listener.v3.Listener/greeter`, assuming the default template. */
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

/** Follows one target from its listener to its endpoints, through the resources in a dump. */
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
    } else this.#client = new DependencyManager({ target, listener, authority, policies, random: () => 0 }, ports);
  }

  /** Returns `unfollowed` if a resource has no contents in the dump, or contents that C-core rejects. */
  run(): { channel: Channel } | { unfollowed: IncompleteTarget } {
    this.#notifyAll();
    const unknown = this.#watches.find(({ entry }) => hasUnknownContents(entry));
    if (this.#state.kind === 'none' && unknown !== undefined) {
      const { type, name, entry } = unknown;
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
      changes: [],
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

  /** Notifies all watchers. A notification may start more watches, which are notified as well. */
  #notifyAll(): void {
    const { now, resolutions } = this.#options;
    let processed = 0;
    do {
      for (; processed < this.#watches.length; processed++) this.#notify(this.#watches[processed] as Watch);
      for (const { query, key } of this.#queries.splice(0)) {
        const result = resolutions.get(key);
        if (result !== undefined) this.#client?.onResolved(query, result, now);
      }
    } while (this.#client?.processUpdates() === true || processed < this.#watches.length);
  }

  #notify({ watcher, type, name, entry }: Watch): void {
    const { resource, error } = entry ?? {};
    const notify = (update: WatcherUpdate): void => {
      this.#client?.onUpdate(type, name, update);
      this.#server?.onUpdate(watcher, update);
    };
    if (resource !== undefined) notify({ kind: 'OnResourceChanged', resource });
    if (error === undefined || (resource === undefined && hasUnknownContents(entry))) return;
    const status = this.#withNode(error.status);
    notify(
      resource === undefined ? { kind: 'OnResourceChanged', error: status } : { kind: 'OnAmbientError', error: status },
    );
  }

  /** R3.4: errors contain the node id. */
  #withNode({ code, message }: Status): Status {
    const { node } = this.#validated.dump;
    return { code, message: node === undefined ? message : `${message} (node ID:${node.id})` };
  }
}

/** Whether the client has or may have the resource, but its contents are not in the dump. */
function hasUnknownContents(entry: CacheEntry | undefined): boolean {
  if (entry === undefined) return true;
  if (entry.resource !== undefined) return false;
  return entry.status === 'ACKED' || entry.status === 'UNKNOWN' || entry.bytes !== undefined;
}

import { earliestOf } from '../base/earliest.js';
import type { Policies } from '../bootstrap/policies.js';
import { serverAddress } from '../bootstrap/target.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { InternalWatcher, WatcherUpdate } from '../core/watcher.js';
import { ChangeTimes, type ConfigChange } from '../deps/change-times.js';
import { CollectingManager } from '../deps/collecting-manager.js';
import type { ConfigState } from '../deps/config.js';
import { DependencyManager } from '../deps/dependency-manager.js';
import type { FollowerPorts } from '../deps/ports.js';
import { ServerFollower } from '../deps/server-follower.js';
import type { TargetManager } from '../deps/target-manager.js';
import type { HeldBack, Tear } from '../deps/tears/tear.js';
import type { TearDetector } from '../deps/tears/tear-detector.js';
import type { ShortType } from '../proto/resource-types.js';

/** A target to follow. */
export interface FollowedTarget {
  target: string;
  listener: string;
  /** The data-plane authority; undefined for a server, which has filter chains instead of virtual hosts. */
  authority: string | undefined;
}

/** A channel of a client_scope: a target with its resolved configuration. */
export interface ChannelSnapshot extends FollowedTarget {
  state: ConfigState;
  /** The time when the state took effect. */
  since: number;
  /** A newer configuration is incomplete and therefore not published. */
  isWithheld: boolean;
  /** Clusters that RPCs use, with the number of RPCs. */
  held: ReadonlyMap<string, number>;
  /** Config tears, and configurations that were held back within the grace period. */
  tears: readonly Tear[];
  heldBack: readonly HeldBack[];
  /** The changes of the configuration, oldest first. The last one may still go on. */
  changes: readonly ConfigChange[];
  /** The resources of this target if the client_scope has several targets; else all of the client_scope (A71). */
  entries?: readonly CacheEntry[];
}

const NONE: ReadonlyMap<string, number> = new Map();

/** A channel after a step. */
export interface SteppedChannel extends ChannelSnapshot {
  /** Clusters that changed, if the configuration has the same map of clusters as before. */
  replaced: string[];
}

/** Follows a target with the dependency manager of a client or a server, and detects its tears. */
export class Follower {
  readonly target: FollowedTarget;
  readonly tears: TearDetector;
  readonly changeTimes: ChangeTimes;
  /** The resolved configuration of the target, and the time when it took effect. */
  state: ConfigState = { kind: 'none' };
  since: number;
  /** Undefined for a server. */
  client: TargetManager | undefined;
  #server: ServerFollower | undefined;

  constructor(target: FollowedTarget, tears: TearDetector, now: number) {
    this.target = target;
    this.tears = tears;
    this.changeTimes = new ChangeTimes(() => this.isWithheld || tears.hasOpen);
    this.since = now;
  }

  start(policies: Policies, nodeId: string | undefined, random: () => number, ports: FollowerPorts): void {
    const { target, listener, authority } = this.target;
    if (authority === undefined) this.#server = new ServerFollower(listener, serverAddress(target) ?? target, ports);
    else {
      const Manager = policies.collectWatches ? CollectingManager : DependencyManager;
      this.client = new Manager({ target, listener, authority, nodeId, policies, random }, ports);
    }
  }

  snapshot(): ChannelSnapshot {
    const { state, since, isWithheld, tears } = this;
    const held = this.client?.held ?? NONE;
    const { changes } = this.changeTimes;
    return { ...this.target, state, since, isWithheld, held, tears: tears.tears, heldBack: tears.heldBack, changes };
  }

  takeChanges(): SteppedChannel {
    return { ...this.snapshot(), replaced: this.client?.takeReplaced() ?? [] };
  }

  get isWithheld(): boolean {
    return (this.client ?? this.#server)?.isWithheld === true;
  }

  onUpdate(watcher: InternalWatcher, type: ShortType, name: string, update: WatcherUpdate): void {
    this.client?.onUpdate(type, name, update);
    this.#server?.onUpdate(watcher, update);
  }

  checkServers(now: number): void {
    // The cache mixes servers while a newer configuration is incomplete; the previous one is in use.
    if (!this.isWithheld) this.tears.checkServers(now);
  }

  nextDeadline(): number | undefined {
    return earliestOf([this.client?.nextDeadline(), this.tears.nextDeadline()], (at) => at);
  }

  tick(now: number): void {
    this.client?.tick(now);
    this.tears.tick(now);
  }

  close(now: number): void {
    this.tears.close(now);
    (this.client ?? this.#server)?.close();
  }
}

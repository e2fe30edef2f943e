import type { Told } from '../core/effect.js';
import type { QueryId, Resolution, WatcherId } from '../core/input.js';
import type { Policies } from '../core/policies.js';
import type { ConfigState } from '../deps/config.js';
import { DependencyManager } from '../deps/dependency-manager.js';
import type { FollowerPorts } from '../deps/ports.js';
import { ServerFollower } from '../deps/server-follower.js';

/** A target to be followed. */
export interface Followed {
  target: string;
  listener: string;
  /** Undefined for a server, which has filter chains instead of virtual hosts to choose from. */
  authority: string | undefined;
}

/** Whoever follows a target: a client's dependency manager, or a server's. */
export class Follower {
  readonly followed: Followed;
  /** What RPCs have to go by, and since when. */
  state: ConfigState = { kind: 'none' };
  since: number;
  readonly #client: DependencyManager | undefined;
  readonly #server: ServerFollower | undefined;

  constructor(followed: Followed, policies: Policies, random: () => number, ports: FollowerPorts, now: number) {
    this.followed = followed;
    this.since = now;
    const { target, listener, authority } = followed;
    if (authority === undefined) this.#server = new ServerFollower(listener, serverAddress(target), ports);
    else this.#client = new DependencyManager({ listener, authority, policies, random }, ports);
  }

  get isWithheld(): boolean {
    return (this.#client ?? this.#server)?.isWithheld === true;
  }

  get held(): ReadonlyMap<string, number> {
    return this.#client?.held ?? NONE;
  }

  told(watcher: WatcherId, told: Told): void {
    (this.#client ?? this.#server)?.told(watcher, told);
  }

  resolved(query: QueryId, result: Resolution, now: number): void {
    this.#client?.resolved(query, result, now);
  }

  hold(cluster: string): void {
    this.#client?.hold(cluster);
  }

  release(cluster: string): void {
    this.#client?.release(cluster);
  }

  nextDeadline(): number | undefined {
    return this.#client?.nextDeadline();
  }

  tick(now: number): void {
    this.#client?.tick(now);
  }

  settle(): boolean {
    return this.#client?.settle() === true;
  }

  close(): void {
    (this.#client ?? this.#server)?.close();
  }
}

const NONE: ReadonlyMap<string, number> = new Map();

/** `#server:127.0.0.1:80` */
function serverAddress(target: string): string {
  return target.slice(target.indexOf(':') + 1);
}

import { formatMillis, type Millis } from '../../base/duration.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { DrillSpec } from './expectations.js';
import type { Verdict } from './observation.js';

/** A client in a drill: what is known to it now, and whether it has lost its configuration since the servers are gone. */
export interface DrillClient {
  snapshot(): ScopeSnapshot | undefined;
}

/** What a drill does to the world. */
export interface DrillPorts {
  /** Cuts off a server for all clients of this drill. */
  block(uri: string): void;
  unblock(uri: string): void;
  /** A client that begins now. */
  startClient(): DrillClient;
}

/** Each is an expectation of its own. */
export const DRILL_STAGES = ['stays ready', 'a new client is ready on the fallback', 'back on the primary'] as const;

type Authority = ScopeSnapshot['authorities'][number];

/**
 * Cuts a target off from a server and watches two clients: one that has its configuration already, and must keep it; and
 * one that begins without the server, since only a client that needs something falls back (A71). Then the server is let
 * through again, and both have to return to it.
 */
export class Drill {
  readonly #spec: DrillSpec;
  readonly #ports: DrillPorts;
  readonly #verdicts: Verdict[] = [];
  readonly #old: DrillClient;
  #new: DrillClient | undefined;
  #stage: 'starting' | 'blocked' | 'unblocked' | 'over' = 'starting';
  #began: number;
  #dropped = '';
  #primary = '';
  #lostAfter: { ms: Millis; why: string } | undefined;

  constructor(spec: DrillSpec, ports: DrillPorts, now: number) {
    this.#spec = spec;
    this.#ports = ports;
    this.#began = now;
    this.#old = ports.startClient();
  }

  /** What has come of it: one verdict a stage, as far as it went. */
  get verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** When the stage that is under way fails for want of time. */
  get deadline(): number {
    return this.#began + (this.#stage === 'unblocked' ? this.#spec.backWithin : this.#spec.readyWithin);
  }

  /** Goes on as far as it can; true when it is over. */
  step(now: number): boolean {
    if (this.#stage === 'starting') this.#starting(now);
    else if (this.#stage === 'blocked') this.#blocked(now);
    else if (this.#stage === 'unblocked') this.#unblocked(now);
    return this.#stage === 'over';
  }

  #starting(now: number): void {
    const expected = 'ready without the server';
    const passed = now - this.#began;
    const old = viewOf(this.#old);
    const servers = old?.authority?.servers ?? [];
    if (servers.length > 0) {
      const problem = problemWith(this.#spec.drop, servers);
      if (problem !== undefined) {
        this.#end({ ok: false, expected, actual: problem });
        return;
      }
    }
    if (old?.isReady === true && servers[0]?.isActive === true && servers[0].failure === undefined) {
      this.#primary = servers[0].uri;
      this.#dropped = this.#spec.drop === 'primary' ? this.#primary : this.#spec.drop;
      this.#begin('blocked', now);
      this.#ports.block(this.#dropped);
      this.#new = this.#ports.startClient();
    } else if (passed >= this.#spec.readyWithin) {
      const why = old === undefined ? 'nothing is known' : stateText(old);
      this.#end({
        ok: false,
        expected,
        actual: `not ready on the primary to begin with, after ${formatMillis(passed)}: ${why}`,
      });
    }
  }

  #blocked(now: number): void {
    const passed = now - this.#began;
    const [old, fresh] = [viewOf(this.#old), viewOf(this.#new)];
    if (old?.isReady !== true) this.#lostAfter ??= { ms: passed, why: old === undefined ? '' : stateText(old) };
    const active = fresh?.authority?.servers.find(({ isActive }) => isActive);
    const isReady = fresh?.isReady === true && active !== undefined;
    if (!isReady && passed < this.#spec.readyWithin) return;
    const lost = this.#lostAfter;
    this.#verdicts.push(
      {
        ok: lost === undefined,
        expected: `a client that is ready stays so without ${this.#dropped}`,
        actual:
          lost === undefined
            ? `ready for ${formatMillis(passed)} without it`
            : `not ready after ${formatMillis(lost.ms)}: ${lost.why}`,
      },
      {
        ok: isReady,
        expected: `ready on another server within ${formatMillis(this.#spec.readyWithin)}`,
        actual: isReady
          ? `ready on ${active.uri} after ${formatMillis(passed)}`
          : `not ready after ${formatMillis(passed)}: ${fresh === undefined ? 'nothing is known' : stateText(fresh)}`,
      },
    );
    this.#begin('unblocked', now);
    this.#ports.unblock(this.#dropped);
  }

  #unblocked(now: number): void {
    const passed = now - this.#began;
    const views = [viewOf(this.#old), viewOf(this.#new)];
    const isBack = views.every((view) => {
      const first = view?.authority?.servers[0];
      return view?.isReady === true && first?.isActive === true && first.failure === undefined;
    });
    if (!isBack && passed < this.#spec.backWithin) return;
    const other = views.find((view) => view?.authority?.servers[0]?.isActive !== true);
    const still = other?.authority?.servers.find(({ isActive }) => isActive)?.uri;
    this.#end({
      ok: isBack,
      expected: `back on ${this.#primary} within ${formatMillis(this.#spec.backWithin)}`,
      actual: isBack
        ? `back after ${formatMillis(passed)}`
        : `not back after ${formatMillis(passed)}${still === undefined ? '' : `: still on ${still}`}`,
    });
  }

  #begin(stage: 'blocked' | 'unblocked', now: number): void {
    this.#stage = stage;
    this.#began = now;
  }

  #end(verdict: Verdict): void {
    this.#verdicts.push(verdict);
    this.#stage = 'over';
  }
}

interface ClientView {
  isReady: boolean;
  authority: Authority | undefined;
  scope: ScopeSnapshot;
}

/** Ready with everything it asked for, and the servers that its listener comes from. */
function viewOf(client: DrillClient | undefined): ClientView | undefined {
  const scope = client?.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) return undefined;
  const { kind } = channel.state;
  const name = scope.entry(RESOURCE_TYPES.LDS, channel.listener)?.authority;
  return {
    scope,
    isReady: (kind === 'published' || kind === 'served') && scope.entries.every(({ status }) => status !== 'REQUESTED'),
    authority: scope.authorities.find((one) => one.name === name),
  };
}

function problemWith(drop: string, servers: Authority['servers']): string | undefined {
  const uris = servers.map(({ uri }) => uri).join(', ');
  if (servers.length < 2) return `there is nothing to fall back on: the bootstrap has one server, ${uris}`;
  if (drop === 'primary' || servers.some(({ uri }) => uri === drop)) return undefined;
  return `the bootstrap has no server ${drop} for this target: it has ${uris}`;
}

function stateText({ scope }: ClientView): string {
  const [channel] = scope.channels;
  if (channel?.state.kind === 'error') return channel.state.message;
  const open = scope.entries.filter(({ status }) => status === 'REQUESTED').map(({ name }) => name);
  const failures = scope.authorities.flatMap(({ servers }) =>
    servers.flatMap(({ uri, failure }) => (failure === undefined ? [] : [`${uri}: ${failure.message}`])),
  );
  const waits = open.length === 0 ? [] : [`it waits for ${open.slice(0, 3).join(', ')}`];
  return [...waits, ...failures].join('; ') || 'it is ready on another server';
}

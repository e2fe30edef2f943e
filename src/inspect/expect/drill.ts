import { formatMillis, type Millis } from '../../base/duration.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { Verdict, VerdictWord } from '../verdict/verdict.js';
import { evaluate } from './evaluate.js';
import { type Servers, serversOf } from './evaluate-target.js';
import type { DrillSpec } from './expectations.js';
import { type Evaluation, momentOf, type Observation } from './observation.js';
import { isAsGoodAs, isDrillable, isRequested } from './readiness.js';

/** The current state of a client in a drill. */
export interface DrillClient {
  snapshot(): ScopeSnapshot | undefined;
  verdict(): Verdict | undefined;
}

/** The result of a stage, and its duration. */
export interface StageResult extends Evaluation {
  after: Millis;
}

/** The actions of a drill. */
export interface DrillPorts {
  /** Blocks a server for all clients of this drill. */
  block(uri: string): void;
  unblock(uri: string): void;
  /** Starts a new client. */
  startClient(): DrillClient;
}

/** Each stage is a separate expectation. */
export const DRILL_STAGES = ['stays ready', 'a new client is ready on the fallback', 'back on the primary'] as const;

/**
 * Blocks a server and watches two clients. The first one already has its configuration and must keep it. The second one
 * starts without the server, since only a client that misses a resource falls back (A71). Then the drill unblocks the
 * server, and both clients must return to it.
 */
export class Drill {
  readonly #spec: DrillSpec;
  readonly #ports: DrillPorts;
  readonly #evaluations: StageResult[] = [];
  readonly #old: DrillClient;
  #new: DrillClient | undefined;
  #stage: 'starting' | 'blocked' | 'unblocked' | 'over' = 'starting';
  #stageStart: number;
  #dropped = '';
  #primary = '';
  /** The verdict while no server is blocked. */
  #before: VerdictWord = 'ok';
  #lostAfter: { ms: Millis; why: string } | undefined;

  constructor(spec: DrillSpec, ports: DrillPorts, now: number) {
    this.#spec = spec;
    this.#ports = ports;
    this.#stageStart = now;
    this.#old = ports.startClient();
  }

  /** One evaluation per completed stage. */
  get evaluations(): readonly StageResult[] {
    return this.#evaluations;
  }

  /** When the current stage fails because its time limit expires. */
  get deadline(): number {
    return this.#stageStart + (this.#stage === 'unblocked' ? this.#spec.backWithin : this.#spec.readyWithin);
  }

  /** Advances the drill if possible. Returns true when it has ended. */
  step(now: number): boolean {
    if (this.#stage === 'starting') this.#starting(now);
    else if (this.#stage === 'blocked') this.#blocked(now);
    else if (this.#stage === 'unblocked') this.#unblocked(now);
    return this.#stage === 'over';
  }

  #starting(now: number): void {
    const expected = 'ready without the server';
    const passed = now - this.#stageStart;
    const old = observed(this.#old, now);
    const servers = serversIn(old);
    const problem = problemWith(this.#spec.drop, servers);
    if (problem !== undefined) this.#end({ ok: false, expected, actual: problem, after: passed });
    else if (old !== undefined && isDrillable(old.verdict.verdict) && isReadyOn('primary', old, old.verdict.verdict)) {
      this.#before = old.verdict.verdict;
      this.#primary = servers[0]?.uri ?? '';
      this.#dropped = this.#spec.drop === 'primary' ? this.#primary : this.#spec.drop;
      this.#begin('blocked', now);
      this.#ports.block(this.#dropped);
      this.#new = this.#ports.startClient();
    } else if (passed >= this.#spec.readyWithin) {
      const actual = `not ready on the primary before the drill, after ${formatMillis(passed)}: ${stateText(old)}`;
      this.#end({ ok: false, expected, actual, after: passed });
    }
  }

  #blocked(now: number): void {
    const passed = now - this.#stageStart;
    const [old, fresh] = [observed(this.#old, now), observed(this.#new, now)];
    if (!isReady(old, this.#before)) this.#lostAfter ??= { ms: passed, why: stateText(old) };
    const isUp = isReadyOn('any', fresh, this.#before);
    if (!isUp && passed < this.#spec.readyWithin) return;
    const lost = this.#lostAfter;
    this.#evaluations.push(
      {
        ok: lost === undefined,
        expected: `a ready client stays ready without ${this.#dropped}`,
        actual:
          lost === undefined
            ? `ready for ${formatMillis(passed)} without it`
            : `not ready after ${formatMillis(lost.ms)}: ${lost.why}`,
        after: passed,
      },
      {
        ok: isUp,
        expected: `ready on another server within ${formatMillis(this.#spec.readyWithin)}`,
        actual: isUp
          ? `ready on ${activeServer(fresh)} after ${formatMillis(passed)}`
          : `not ready after ${formatMillis(passed)}: ${stateText(fresh)}`,
        after: passed,
      },
    );
    this.#begin('unblocked', now);
    this.#ports.unblock(this.#dropped);
  }

  #unblocked(now: number): void {
    const passed = now - this.#stageStart;
    const clients = [observed(this.#old, now), observed(this.#new, now)];
    const isBack = clients.every((client) => isReadyOn('primary', client, this.#before));
    if (!isBack && passed < this.#spec.backWithin) return;
    const other = clients.find((client) => serversIn(client)[0]?.isActive !== true);
    const still = activeServer(other);
    this.#end({
      ok: isBack,
      expected: `back on ${this.#primary} within ${formatMillis(this.#spec.backWithin)}`,
      actual: isBack
        ? `back after ${formatMillis(passed)}`
        : `not back after ${formatMillis(passed)}${still === undefined ? '' : `: still on ${still}`}`,
      after: passed,
    });
  }

  #begin(stage: 'blocked' | 'unblocked', now: number): void {
    this.#stage = stage;
    this.#stageStart = now;
  }

  #end(result: StageResult): void {
    this.#evaluations.push(result);
    this.#stage = 'over';
  }
}

function observed(client: DrillClient | undefined, now: number): Observation | undefined {
  const scope = client?.snapshot();
  const [channel] = scope?.channels ?? [];
  const verdict = client?.verdict();
  return scope === undefined || channel === undefined || verdict === undefined
    ? undefined
    : momentOf({ scope, channel, nodeId: undefined }, verdict, now);
}

function isReady(client: Observation | undefined, before: VerdictWord): client is Observation {
  return client !== undefined && isAsGoodAs(before, client);
}

function isReadyOn(server: 'primary' | 'any', client: Observation | undefined, before: VerdictWord): boolean {
  return isReady(client, before) && evaluate({ kind: 'active', server }, client).ok;
}

function activeServer(client: Observation | undefined): string | undefined {
  return serversIn(client).find(({ isActive }) => isActive)?.uri;
}

function serversIn(client: Observation | undefined): Servers {
  return client === undefined ? [] : serversOf(client);
}

function problemWith(drop: string, servers: Servers): string | undefined {
  if (servers.length === 0) return undefined;
  const uris = servers.map(({ uri }) => uri).join(', ');
  if (servers.length < 2) return `no fallback server: the bootstrap has only ${uris}`;
  if (drop === 'primary' || servers.some(({ uri }) => uri === drop)) return undefined;
  return `the bootstrap has no server ${drop} for this target: it has ${uris}`;
}

function stateText(client: Observation | undefined): string {
  if (client === undefined) return 'no data';
  const { scope, channel, verdict } = client;
  if (channel.state.kind === 'error') return channel.state.message;
  if (verdict.verdict === 'fails' || verdict.verdict === 'partly')
    return `verdict ${verdict.verdict}: ${verdict.cause?.message ?? 'RPCs fail'}`;
  const open = scope.entries.filter(isRequested).map(({ name }) => name);
  const failures = scope.authorities.flatMap(({ servers }) =>
    servers.flatMap(({ uri, failure }) => (failure === undefined ? [] : [`${uri}: ${failure.message}`])),
  );
  const waits = open.length === 0 ? [] : [`waiting for ${open.slice(0, 3).join(', ')}`];
  return [...waits, ...failures].join('; ') || 'ready on another server';
}

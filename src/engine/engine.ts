import { earliestOf } from '../base/earliest.js';
import type { Policies } from '../bootstrap/policies.js';
import { PRESETS } from '../bootstrap/presets.js';
import type { AuthorityServers } from '../core/authority.js';
import type { Effect, ServerTarget } from '../core/effect.js';
import type { Input } from '../core/input.js';
import type { NodeIdentity } from '../core/node.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { type ClientContext, readResourceSwitches } from '../resources/context.js';
import { LintedMachine } from './linted-machine.js';
import { Scope, type ScopeSnapshot } from './scope.js';

export interface EngineOptions {
  /** By priority (A71). */
  servers: readonly ServerTarget[];
  /** Authorities for xdstp names (A47). */
  authorities?: ReadonlyMap<string, AuthorityServers>;
  node: NodeIdentity;
  /** The seed of all random numbers, so that a replay is deterministic. */
  seed: number;
  /** The settings that resource validation depends on. Default: no switches, A88 on, no bootstrap. */
  context?: ClientContext;
  /** Default: the policies of the preset `spec`. */
  policies?: Policies;
  /** The minimum grace period of tears. Default: 200 ms. With 0, every missing name is a tear. */
  tearGraceMs?: number;
}

const DEFAULT_CONTEXT: ClientContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: undefined,
  allowedGrpcServices: new Set(),
  interfaces: new Map(),
};

/** Longer than most round trips. */
const TEAR_GRACE_MS = 200;

/** All clients of a session behind one `handle`: one XdsClient per client_scope (A71). */
export class Engine extends LintedMachine<Scope> {
  readonly #options: EngineOptions;
  readonly #scopes = new Map<string, Scope>();
  #readings = 0;
  #clients = 0;

  constructor(options: EngineOptions) {
    super();
    this.#options = options;
  }

  protected step(input: Input, now: number): Effect[] {
    if (input.kind === 'tick') return [...this.#scopes.values()].flatMap((scope) => scope.handle(input, now));
    if (!('scope' in input)) return this.routes.ownerOf(input)?.handle(input, now) ?? [];
    // A watcher may finish after its client_scope was closed: only a new watcher or target opens one.
    const isOpening = input.kind === 'watch' || input.kind === 'follow';
    const scope = isOpening ? this.#scope(input.scope) : this.#scopes.get(input.scope);
    if (scope === undefined) return [];
    const effects = scope.handle(input, now);
    if (!scope.isIdle) return effects;
    this.#scopes.delete(input.scope);
    return [...effects, ...scope.close(now)];
  }

  /** The state of every client. */
  snapshot(): ScopeSnapshot[] {
    return [...this.#scopes.values()].map((scope) => scope.snapshot());
  }

  /** The cache entry of a resource. Unlike `snapshot`, it does not list all the others. */
  entry(scope: string, typeUrl: string, name: string): CacheEntry | undefined {
    return this.#scopes.get(scope)?.entry(typeUrl, name);
  }

  override nextDeadline(): number | undefined {
    return earliestOf(this.#scopes.values(), (scope) => scope.nextDeadline(), super.nextDeadline());
  }

  #scope(name: string): Scope {
    const existing = this.#scopes.get(name);
    if (existing !== undefined) return existing;
    const { authorities = new Map(), tearGraceMs = TEAR_GRACE_MS } = this.#options;
    const { context = DEFAULT_CONTEXT, policies = PRESETS.spec.policies } = this.#options;
    const scope: Scope = new Scope({
      ...this.#options,
      scope: name,
      authorities,
      context,
      policies,
      tearGraceMs,
      newChannelId: () => this.routes.newChannel(scope),
      newStreamId: () => this.routes.newStream(scope),
      newQueryId: () => this.routes.newQuery(scope),
      newReadingId: () => ++this.#readings,
      seed: this.#options.seed + ++this.#clients,
    });
    this.#scopes.set(name, scope);
    return scope;
  }
}

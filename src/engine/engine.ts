import { earliestOf } from '../base/earliest.js';
import type { Policies } from '../bootstrap/policies.js';
import { PRESETS } from '../bootstrap/presets.js';
import type { AuthorityServers } from '../core/authority.js';
import type { Effect, ServerTarget } from '../core/effect.js';
import type { Input } from '../core/input.js';
import type { NodeIdentity } from '../core/node.js';
import { type ClientContext, readResourceSwitches } from '../resources/context.js';
import { LintedMachine } from './linted-machine.js';
import { Scope, type ScopeChanges, type ScopeSnapshot } from './scope.js';

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
  /** Tracks changes for `takeChanges`. */
  tracksChanges?: boolean;
}

/** The changes of one or more steps. */
export interface EngineChanges {
  scopes: ScopeChanges[];
  /** The client_scopes that were closed. */
  closed: string[];
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
  /** The client_scopes that handled an input since `takeChanges`, and those that were closed. */
  readonly #stepped = new Set<Scope>();
  #closed: string[] = [];
  #readings = 0;
  #clients = 0;

  constructor(options: EngineOptions) {
    super();
    this.#options = options;
  }

  protected step(input: Input, now: number): Effect[] {
    if (input.kind === 'tick') {
      return [...this.#scopes.values()].flatMap((scope) => this.#track(scope).handle(input, now));
    }
    if (!('scope' in input)) {
      const owner = this.routes.ownerOf(input);
      return owner === undefined ? [] : this.#track(owner).handle(input, now);
    }
    // A watcher may finish after its client_scope was closed: only a new watcher or target opens one.
    const isOpening = input.kind === 'watch' || input.kind === 'follow';
    const scope = isOpening ? this.#scope(input.scope) : this.#scopes.get(input.scope);
    if (scope === undefined) return [];
    const effects = this.#track(scope).handle(input, now);
    if (!scope.isIdle || this.#options.policies?.shareClient) return effects;
    this.#scopes.delete(input.scope);
    this.#stepped.delete(scope);
    if (this.#options.tracksChanges) this.#closed.push(input.scope);
    return [...effects, ...scope.close(now)];
  }

  /** The state of every client. */
  snapshot(): ScopeSnapshot[] {
    return [...this.#scopes.values()].map((scope) => scope.snapshot());
  }

  /** Returns what has changed since the last call. Requires `tracksChanges`. */
  takeChanges(): EngineChanges {
    const scopes = [...this.#stepped].map((scope) => scope.takeChanges());
    const closed = this.#closed;
    this.#stepped.clear();
    this.#closed = [];
    return { scopes, closed };
  }

  #track(scope: Scope): Scope {
    // A stream may end after its client_scope was closed.
    if (this.#options.tracksChanges && [...this.#scopes.values()].includes(scope)) this.#stepped.add(scope);
    return scope;
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
      changes: this.#options.tracksChanges ? { changed: new Set(), removed: new Set() } : undefined,
    });
    this.#scopes.set(name, scope);
    return scope;
  }
}

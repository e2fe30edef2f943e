import { type ClientSnapshot, XdsClient } from '../core/client.js';
import type { Effect, ServerTarget } from '../core/effect.js';
import type { Input } from '../core/input.js';
import type { Machine } from '../core/machine.js';
import type { NodeIdentity } from '../core/node.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { neededBy, type Root } from '../deps/walk.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { type ClientContext, readResourceSwitches } from '../resources/context.js';

export interface EngineOptions {
  /** By priority: the second is asked when the first cannot be reached, and so on (A71). */
  servers: readonly ServerTarget[];
  /** Authorities for xdstp names (A47); an empty list stands for the servers above. */
  authorities?: ReadonlyMap<string, readonly ServerTarget[]>;
  node: NodeIdentity;
  /** Makes every random choice repeatable. */
  seed: number;
  /** What decides, besides a resource, how it is judged. Unless given: nothing is switched, A88 is on, no bootstrap is known. */
  context?: ClientContext;
}

const NOTHING_KNOWN: ClientContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: undefined,
  allowedGrpcServices: new Set(),
  interfaces: new Map(),
};

interface Watched {
  typeUrl: string;
  name: string;
}

/** The targets of a scope, and what is watched for them. */
interface Followed {
  roots: Root[];
  watched: Map<string, Watched>;
}

function keyOf({ typeUrl, name }: Watched): string {
  return `${typeUrl} ${name}`;
}

/** Routes that a listener no longer names, while it names others. */
function isOtherRoutes({ typeUrl }: Watched, needed: readonly Watched[]): boolean {
  return typeUrl === RESOURCE_TYPES.RDS && needed.some((one) => one.typeUrl === typeUrl);
}

/** Something is known of it; without a listener and routes nothing is known at all. */
function isKnown(typeUrl: string, entry: CacheEntry | undefined): boolean {
  if (typeUrl === RESOURCE_TYPES.LDS || typeUrl === RESOURCE_TYPES.RDS) return entry?.resource !== undefined;
  return entry !== undefined && entry.status !== 'REQUESTED';
}

/** All clients of a session behind one `handle`: one XdsClient a client_scope (A71). */
export class Engine implements Machine<Input, Effect> {
  readonly #options: EngineOptions;
  readonly #clients = new Map<string, XdsClient>();
  readonly #followed = new Map<string, Followed>();
  #channels = 0;
  #streams = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  handle(input: Input, now: number): Effect[] {
    if (input.kind === 'follow') return this.#follow(input, now);
    if (input.kind === 'watch' || input.kind === 'unwatch') return this.#client(input.scope).handle(input, now);
    return [...this.#clients].flatMap(([scope, client]) => {
      const effects = client.handle(input, now);
      return effects.length === 0 ? effects : [...effects, ...this.#walk(scope, now)];
    });
  }

  /** Every client with what it knows. */
  snapshot(): ClientSnapshot[] {
    return [...this.#clients.values()].map((client) => client.snapshot());
  }

  #follow({ scope, listener, authority }: Extract<Input, { kind: 'follow' }>, now: number): Effect[] {
    const followed: Followed = this.#followed.get(scope) ?? { roots: [], watched: new Map() };
    this.#followed.set(scope, followed);
    followed.roots.push({ listener, authority });
    return this.#walk(scope, now);
  }

  /** Watches what the targets of a scope have come to need, and nothing that they no longer do. */
  #walk(scope: string, now: number): Effect[] {
    const followed = this.#followed.get(scope);
    if (followed === undefined) return [];
    const client = this.#client(scope);
    const { roots, watched } = followed;
    const needed = roots.flatMap((root) => neededBy(root, (typeUrl, name) => client.entry(typeUrl, name)?.resource));
    const keys = new Set(needed.map(keyOf));
    const effects: Effect[] = [];
    for (const one of needed) {
      if (watched.has(keyOf(one))) continue;
      watched.set(keyOf(one), one);
      effects.push(...client.handle({ kind: 'watch', scope, ...one }, now));
    }
    const isWhole = needed.every(({ typeUrl, name }) => isKnown(typeUrl, client.entry(typeUrl, name)));
    for (const [key, one] of watched) {
      // Clusters and endpoints stay until what replaces them is there; other routes are of no use at once.
      if (keys.has(key) || (!isWhole && !isOtherRoutes(one, needed))) continue;
      watched.delete(key);
      effects.push(...client.handle({ kind: 'unwatch', scope, ...one }, now));
    }
    return effects;
  }

  nextDeadline(): number | undefined {
    let earliest: number | undefined;
    for (const client of this.#clients.values()) {
      const deadline = client.nextDeadline();
      if (deadline !== undefined && (earliest === undefined || deadline < earliest)) earliest = deadline;
    }
    return earliest;
  }

  #client(scope: string): XdsClient {
    let client = this.#clients.get(scope);
    if (client === undefined) {
      const { servers, authorities = new Map(), node, seed, context = NOTHING_KNOWN } = this.#options;
      client = new XdsClient({
        scope,
        servers,
        authorities,
        node,
        newChannelId: () => ++this.#channels,
        newStreamId: () => ++this.#streams,
        seed: seed + this.#clients.size + 1,
        context,
      });
      this.#clients.set(scope, client);
    }
    return client;
  }
}

import { XdsClient } from '../core/client.js';
import type { Effect, ServerTarget } from '../core/effect.js';
import type { Input } from '../core/input.js';
import type { Machine } from '../core/machine.js';
import type { NodeIdentity } from '../core/node.js';
import { type ResourceContext, readResourceSwitches } from '../resources/context.js';

export interface EngineOptions {
  /** By priority: the second is asked when the first cannot be reached, and so on (A71). */
  servers: readonly ServerTarget[];
  /** Authorities for xdstp names (A47); an empty list stands for the servers above. */
  authorities?: ReadonlyMap<string, readonly ServerTarget[]>;
  node: NodeIdentity;
  /** Makes every random choice repeatable. */
  seed: number;
  /** What decides, besides a resource, how it is judged. Unless given: nothing is switched, A88 is on, no bootstrap is known. */
  context?: ResourceContext;
}

const NOTHING_KNOWN: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: undefined,
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map(),
};

/** All clients of a session behind one `handle`: one XdsClient a client_scope (A71). */
export class Engine implements Machine<Input, Effect> {
  readonly #options: EngineOptions;
  readonly #clients = new Map<string, XdsClient>();
  #channels = 0;
  #streams = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  handle(input: Input, now: number): Effect[] {
    if (input.kind === 'watch' || input.kind === 'unwatch') return this.#client(input.scope).handle(input, now);
    return [...this.#clients.values()].flatMap((client) => client.handle(input, now));
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

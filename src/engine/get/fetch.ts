import { earliestOf } from '../../base/earliest.js';
import { seededRandom } from '../../base/random.js';
import { authorityKey, OLD_STYLE, parseXdsName } from '../../base/xds-name.js';
import type { Policies } from '../../bootstrap/policies.js';
import { type AuthorityServers, configuredAuthority, serverKey } from '../../core/authority.js';
import type { Effect, ServerTarget } from '../../core/effect.js';
import type { Input } from '../../core/input.js';
import type { ClientMetrics } from '../../core/metrics.js';
import { type NodeIdentity, nodeMessage } from '../../core/node.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { ClientContext } from '../../resources/context.js';
import { LintedMachine } from '../linted-machine.js';
import { type FetchedEntry, fetchedEntries } from './fetched-entries.js';
import type { ChangedResource, ReportedError, ResourceSetChange } from './resource-set.js';
import { type FetchState, type ServerFailure, Subscription } from './subscription.js';

/** The arguments of `get`. */
export interface FetchRequest {
  typeUrl: string;
  names: readonly string[];
  /** Requests all names from the top-level servers of the bootstrap, regardless of their authority. */
  ignoresAuthorities: boolean;
  /** If set, every response is rejected with this message. */
  nack: string | undefined;
  /** Stays subscribed until the user stops it. */
  follows: boolean;
  /** The timeout of the command, in addition to the resource timer. */
  timeoutMs: number | undefined;
}

export interface FetchOptions extends FetchRequest {
  /** By priority. */
  servers: readonly ServerTarget[];
  authorities: ReadonlyMap<string, AuthorityServers>;
  node: NodeIdentity;
  context: ClientContext;
  policies: Policies;
  seed: number;
}

/** An error that lists the names that cannot be requested. */
export class InvalidNames extends Error {
  /** The reason for each name. */
  readonly problems: ReadonlyMap<string, string>;

  constructor(problems: ReadonlyMap<string, string>) {
    super([...problems.values()].join('\n'));
    this.problems = problems;
  }
}

/**
 * A raw subscription to one resource type as a state machine: requests each name from the servers of its authority, and
 * keeps every resource as received. It starts with its first input.
 */
export class Fetch extends LintedMachine<Subscription> {
  readonly #subscriptions: Subscription[];
  readonly #request: FetchRequest;
  readonly #effects: Effect[] = [];
  #endAt: number | undefined;
  #isStarted = false;

  constructor(options: FetchOptions) {
    super();
    const random = seededRandom(options.seed);
    const node = nodeMessage(options.node);
    this.#request = options;
    this.#subscriptions = groupByServers(options).map(
      (group) =>
        new Subscription({
          ...options,
          ...group,
          node,
          random,
          newChannelId: (owner) => this.routes.newChannel(owner),
          newStreamId: (owner) => this.routes.newStream(owner),
          emit: (effect) => this.#effects.push(effect),
        }),
    );
  }

  protected step(input: Input, now: number): Effect[] {
    if (!this.#isStarted) {
      this.#isStarted = true;
      const { timeoutMs } = this.#request;
      this.#endAt = timeoutMs === undefined ? undefined : now + timeoutMs;
      for (const one of this.#subscriptions) one.start(now);
    }
    if (input.kind === 'tick') for (const one of this.#subscriptions) one.handle(input, now);
    else if ('stream' in input || 'channel' in input) this.routes.ownerOf(input)?.handle(input, now);
    if (this.#endAt !== undefined && now >= this.#endAt) for (const one of this.#subscriptions) one.timeOut(now);
    return this.#effects.splice(0);
  }

  override nextDeadline(): number | undefined {
    if (this.state !== 'open') return undefined;
    const others = earliestOf([this.#endAt, super.nextDeadline()], (at) => at);
    return earliestOf(this.#subscriptions, (one) => one.nextDeadline(), others);
  }

  /** Open until every server has responded, failed or timed out. */
  get state(): FetchState {
    const states = this.#subscriptions.map(({ state }) => state);
    return (['open', 'failed', 'timed out'] as const).find((state) => states.includes(state)) ?? 'done';
  }

  get resources(): ChangedResource[] {
    return this.#subscriptions.flatMap(({ store }) => store.resources.resources);
  }

  get errors(): ReportedError[] {
    return this.#subscriptions.flatMap(({ store }) => store.resources.errors);
  }

  /** All resources, as cache entries of a gRPC client. */
  get entries(): FetchedEntry[] {
    const { typeUrl, nack } = this.#request;
    return this.#subscriptions.flatMap((one) => fetchedEntries(one, typeUrl, nack));
  }

  /** The metrics of A78, by server. */
  get metrics(): ClientMetrics[] {
    return this.#subscriptions.map(({ metrics }) => metrics);
  }

  /** Requested names that no response has mentioned. */
  get missing(): string[] {
    return this.#subscriptions.flatMap(({ store }) => store.missing);
  }

  /** The numbers of resources and errors of the last responses that were too many to keep. */
  get omitted(): { resources: number; errors: number } {
    const sum = (key: 'resources' | 'errors'): number =>
      this.#subscriptions.reduce((all, { store }) => all + store.omitted[key], 0);
    return { resources: sum('resources'), errors: sum('errors') };
  }

  /** The missing names, each with the last server and whether that server has responded. */
  get unanswered(): { name: string; server: string; hasResponse: boolean }[] {
    return this.#subscriptions.flatMap(({ store, server, hasResponse }) =>
      store.missing.map((name) => ({ name, server: server.uri, hasResponse })),
    );
  }

  /** Servers that have not responded, with the names requested from them. */
  get silent(): { server: string; names: readonly string[] }[] {
    return this.#subscriptions
      .filter(({ hasResponse }) => !hasResponse)
      .map(({ server, names }) => ({ server: server.uri, names }));
  }

  /** The current server of the first subscription. */
  get server(): string {
    return this.#subscriptions[0]?.server.uri ?? '';
  }

  /** The version of the last response; undefined before the first response. */
  get version(): string | undefined {
    return this.#subscriptions.find(({ hasResponse }) => hasResponse)?.store.version;
  }

  get failures(): ServerFailure[] {
    return this.#subscriptions.flatMap(({ failures }) => failures);
  }

  get ignoredMessages(): string[] {
    return this.#subscriptions.flatMap(({ ignoredMessages }) => [...ignoredMessages]);
  }

  /** The message of the last NACK. */
  get nack(): string | undefined {
    return this.#subscriptions.find(({ store }) => store.nack !== undefined)?.store.nack;
  }

  /** Removes and returns all changes since the last call. */
  takeChanges(): ResourceSetChange[] {
    return this.#subscriptions.flatMap(({ store }) => store.resources.takeChanges());
  }
}

interface ServerGroup {
  authority: string;
  servers: readonly ServerTarget[];
  names: string[];
}

/** Groups the names by the servers of their authorities (A47). */
function groupByServers(options: FetchOptions): ServerGroup[] {
  const { names, servers, ignoresAuthorities } = options;
  if (names.length === 0 || ignoresAuthorities) return [{ authority: OLD_STYLE, servers, names: [...names] }];
  const groups = new Map<string, ServerGroup>();
  const problems = new Map<string, string>();
  for (const name of names) {
    const group = groupOf(name, options);
    if ('problem' in group) {
      problems.set(name, `${name}: ${group.problem}`);
      continue;
    }
    const key = group.servers.map((server) => serverKey(server)).join('\n');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, group);
    else known.names.push(name);
  }
  if (problems.size > 0) throw new InvalidNames(problems);
  return [...groups.values()];
}

function groupOf(
  name: string,
  { typeUrl, servers, authorities, context }: FetchOptions,
): ServerGroup | { problem: string } {
  const type = typeNameOf(typeUrl);
  const parsed = parseXdsName(name, type, context.switches.federation);
  if (parsed === undefined) return { problem: `this is not an xdstp name of the type ${type}` };
  const authority = authorityKey(parsed);
  const configured = configuredAuthority(authority, servers, authorities);
  if (configured !== undefined) return { authority, servers: configured.servers, names: [name] };
  return { problem: `the bootstrap has no authority "${authority}"; --server requests any name from one server` };
}

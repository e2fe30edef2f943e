import type { Effect } from '../../../src/core/effect.js';
import type { Input } from '../../../src/core/input.js';
import type { CacheEntry } from '../../../src/core/resource-cache.js';
import type { WatcherUpdate } from '../../../src/core/watcher.js';
import type { ScopeSnapshot } from '../../../src/engine/scope.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { require } from '../violation.js';
import type { Check, Watch, World } from './world.js';

/** More effects than this per element of the cache, of the world and of the message are too many. */
const MAX_EFFECTS_PER_ELEMENT = 25;
const MAX_EFFECTS = 100;

/** Inputs that cannot change the cache. */
const NEUTRAL: ReadonlySet<Input['kind']> = new Set(['sent', 'done', 'hold', 'release']);

/** Checks the cache entries, the updates of watchers and the active servers after a step. */
export class CacheCheck implements Check {
  readonly #world: World;
  readonly #every: number;
  #steps = 0;

  /** A snapshot costs more than a step, so most cases check only every few steps. */
  constructor(world: World, every: number) {
    this.#world = world;
    this.#every = every;
  }

  onStep(input: Input, effects: readonly Effect[]): void {
    if (effects.length < MAX_EFFECTS && (NEUTRAL.has(input.kind) || ++this.#steps % this.#every > 0)) return;
    const scopes = this.#world.snapshot();
    let elements = this.#world.watchers.size + this.#world.wires.size + this.#world.channels.size + 1;
    for (const scope of scopes) {
      elements += scope.entries.length * (1 + scope.channels.length);
      for (const entry of scope.entries) checkEntry(entry);
      checkAuthorities(scope);
      checkTears(scope);
    }
    if (input.kind === 'message') elements += input.bytes.length / 100;
    const limit = MAX_EFFECTS + MAX_EFFECTS_PER_ELEMENT * elements;
    require(effects.length <= limit, 'work', () => `${effects.length} effects of ${elements} elements`);
    for (const watch of this.#world.watchers.values()) checkWatcher(watch, scopes);
  }
}

/** A88: the resource in use, its bytes and its error fit the status. */
function checkEntry(entry: CacheEntry): void {
  const { status, resource, bytes, error, rejected, watchers, version, server } = entry;
  const isValid =
    (resource === undefined) === (bytes === undefined) &&
    (rejected === undefined) === (status !== 'NACKED') &&
    (status === 'REQUESTED' || status === 'ACKED') === (error === undefined) &&
    (status !== 'ACKED' || resource !== undefined) &&
    (status !== 'REQUESTED' || (resource === undefined && version === '')) &&
    (status !== 'TIMEOUT' || resource === undefined) &&
    (resource === undefined || server !== undefined) &&
    (error === undefined || CAUSES[status]?.includes(error.cause) === true) &&
    (error === undefined || (error.effect === 'kept') === (resource !== undefined));
  require(isValid, 'cache-status', () => `${entry.typeUrl} ${entry.name}: ${status}, ${JSON.stringify(error)}`);
  require(watchers.length > 0, 'watched-only', () => `${entry.typeUrl} ${entry.name} has no watcher`);
}

const CAUSES: Partial<Record<CacheEntry['status'], readonly string[]>> = {
  NACKED: ['nack'],
  DOES_NOT_EXIST: ['deletion', 'timer'],
  RECEIVED_ERROR: ['server-error'],
  TIMEOUT: ['timer'],
};

/** A71: the servers before the active one are unreachable, or the client would use them. */
function checkAuthorities({ authorities }: ScopeSnapshot): void {
  for (const { name, servers } of authorities) {
    const active = servers.findIndex(({ isActive }) => isActive);
    const hasFailed = servers.slice(0, active).every(({ failure }) => failure !== undefined);
    const isUnique = servers.filter(({ isActive }) => isActive).length <= 1;
    require(hasFailed && isUnique, 'fallback-order', () => `${name}: ${JSON.stringify(servers)}`);
  }
}

const MISSING: ReadonlySet<string> = new Set(['dangling-cluster', 'dangling-endpoints', 'removed-in-use']);

function checkTears({ channels, entry }: ScopeSnapshot): void {
  for (const { tears } of channels) {
    for (const { kind, end, resources } of tears) {
      const [torn] = resources;
      if (end !== undefined || torn === undefined || !MISSING.has(kind)) continue;
      const typeUrl = RESOURCE_TYPES[torn.type];
      const isMissing = entry(typeUrl, torn.name)?.resource === undefined;
      require(isMissing, 'tear-matches-cache', () => `${kind}: ${torn.type} ${torn.name} is cached`);
    }
  }
}

function checkWatcher({ scope, typeUrl, name, updates }: Watch, scopes: readonly ScopeSnapshot[]): void {
  // A name with an unknown authority is never requested (R3.15).
  if (name.startsWith('xdstp:') && updates.length > 0 && isRefused(updates)) return;
  const cached = scopes.find((one) => one.scope === scope)?.entry(typeUrl, name);
  require(cached !== undefined, 'watched-only', () => `${typeUrl} ${name} is watched and not in the cache`);
  const last = updates.findLast(({ kind }) => kind === 'OnResourceChanged');
  const resource = last !== undefined && 'resource' in last ? last.resource : undefined;
  require(cached.resource === resource, 'watcher-agrees', () =>
    `${typeUrl} ${name}: ${JSON.stringify(updates.at(-1))}`);
  const newest = updates.at(-1);
  if (newest?.kind !== 'OnAmbientError') return;
  require(resource !== undefined, 'ambient-if-cached', () => `${typeUrl} ${name}: ${JSON.stringify(newest)}`);
}

function isRefused([first]: readonly WatcherUpdate[]): boolean {
  const message = first !== undefined && 'error' in first ? first.error?.message : undefined;
  return message !== undefined && /not present in bootstrap|Unable to parse/.test(message);
}

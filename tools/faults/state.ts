import type { ScopeSnapshot } from '../../src/engine/scope.ts';
import { type ShortType, shortType } from '../../src/proto/resource-types.ts';
import type { LoggedEvent } from './client/logged-event.ts';
import { contentsOf, SOLO, TARGET, versionOf } from './model.ts';

/**
 * The state of a client as text, to compare with that of another client: the cache and the resolved configurations.
 * It contains no times, no counters and no address of a server, in which two clients may differ.
 */
export function comparable(snapshots: readonly ScopeSnapshot[]): string {
  const scopes = snapshots.map(({ scope, entries, channels }) => ({
    scope,
    entries: entries
      .map(({ typeUrl, name, status, version, resource, error }) => {
        const type = shortType(typeUrl);
        return { key: `${type} ${name}`, status, version, resource, error: error?.cause };
      })
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    channels: channels.map(({ target, listener, state, isWithheld }) => ({ target, listener, state, isWithheld })),
  }));
  return JSON.stringify(scopes, plain, 1);
}

/** The fields of a resolved configuration with the ambient error of a listener, of routes, and of a cluster or endpoints. */
const NOTES: ReadonlySet<string> = new Set(['listenerNote', 'routesNote', 'note']);

/**
 * Makes JSON of values that JSON lacks. Omits the notes about connection errors: as in C-core, only resources in the first
 * response after a failure lose them (R4.8).
 */
function plain(key: string, value: unknown): unknown {
  if (NOTES.has(key)) return undefined;
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value];
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
  return value;
}

/** The first line in which two states differ; undefined if they are equal. */
export function firstDifference(a: string, b: string): string | undefined {
  if (a === b) return undefined;
  const [ours, theirs] = [a.split('\n'), b.split('\n')];
  const line = ours.findIndex((text, i) => text !== theirs[i]);
  return `${ours[line]?.trim() ?? 'the end'} instead of ${theirs[line]?.trim() ?? 'the end'}`;
}

/** What the events of a log say about a resource. */
interface FoldedResource {
  /** The last cache status. */
  status: string | undefined;
  /** The version of the last update. */
  version: string | undefined;
}

/**
 * The cache as the events describe it, by `scope type name`. Reads the log from its end until it has found all keys, as
 * it may be long.
 */
function fold(events: readonly LoggedEvent[], keys: readonly string[]): Map<string, FoldedResource> {
  const state = new Map<string, FoldedResource>(keys.map((key) => [key, { status: undefined, version: undefined }]));
  let left = keys.length;
  for (let i = events.length - 1; i >= 0 && left > 0; i--) {
    const { kind, scope, type, name, change, version, status, cache } = events[i] as LoggedEvent;
    const entry = kind === 'resource' || kind === 'error' ? state.get(`${scope} ${type} ${name}`) : undefined;
    if (entry === undefined || entry.version !== undefined) continue;
    entry.status ??= String(kind === 'error' ? cache : status);
    if (kind === 'resource' && change === 'updated') {
      entry.version = version;
      left--;
    }
  }
  return state;
}

/** The resources in the events that are not those of a revision; empty when the client has converged. */
export function outstanding(events: readonly LoggedEvent[], revision: number, scopes: readonly string[]): string[] {
  const expected = expectedResources(scopes);
  const state = fold(
    events,
    expected.map(({ key }) => key),
  );
  return expected.flatMap(({ key, type, name }) => {
    const { status, version } = state.get(key) ?? { status: undefined, version: undefined };
    const wanted = versionOf(type, revision);
    return status === 'ACKED' && contentsAt(type, name, version) === contentsAt(type, name, wanted)
      ? []
      : [`${key} is ${status ?? 'absent'} in version ${version ?? 'none'}, not ${wanted}`];
  });
}

function contentsAt(type: ShortType, name: string, version: string | number | undefined): string {
  return JSON.stringify(contentsOf(type, Number(version)).get(name));
}

const TARGET_RESOURCES: [ShortType, string][] = [
  ['LDS', TARGET],
  ['RDS', 'routes'],
  ['CDS', 'named'],
  ...['blue', 'green', 'red'].flatMap((name): [ShortType, string][] => [
    ['CDS', name],
    ['EDS', name],
  ]),
];

function expectedResources(scopes: readonly string[]): { key: string; type: ShortType; name: string }[] {
  return scopes.flatMap((scope) =>
    (scope === '' ? [['CDS', SOLO] as [ShortType, string]] : TARGET_RESOURCES).map(([type, name]) => ({
      key: `${scope} ${type} ${name}`,
      type,
      name,
    })),
  );
}

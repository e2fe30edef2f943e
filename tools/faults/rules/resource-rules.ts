import { isShortType } from '../../../src/proto/resource-types.ts';
import type { LoggedEvent } from '../client/logged-event.ts';
import { contentsOf, isInvalid } from '../model.ts';

/** A cached resource as the responses describe it. */
interface Cached {
  contents: string;
  version: string;
}

/**
 * Each response changes the resources in it that are new or have other contents than the cached ones. Each such change is
 * one `updated` event after the response, with the version that it replaces. An invalid resource is one `nack` error.
 * The model of the control plane knows the contents of each version. Returns the number of changes.
 */
export function checkTransitions(events: readonly LoggedEvent[], failures: string[]): number {
  const caches = new Map<string, Map<string, Cached>>();
  const expected = new Map<string, string[]>();
  const actual = new Map<string, string[]>();
  let transitions = 0;
  const compare = (scope: string): void => {
    const [wanted, got] = [(expected.get(scope) ?? []).sort(), (actual.get(scope) ?? []).sort()];
    if (wanted.join('\n') !== got.join('\n'))
      failures.push(
        `scope "${scope}": expected [${wanted.join('; ')}] after a response, but the events are [${got.join('; ')}]`,
      );
    expected.set(scope, []);
    actual.set(scope, []);
  };
  for (const event of events) {
    const { kind, scope, change, cause } = event;
    if (kind === 'response') {
      compare(scope);
      if (event.ignored) continue;
      const cache = caches.get(scope) ?? new Map<string, Cached>();
      caches.set(scope, cache);
      expected.set(scope, changesIn(event, cache));
    } else if ((kind === 'resource' && change === 'updated') || (kind === 'error' && cause === 'nack')) {
      transitions++;
      const list = actual.get(scope) ?? [];
      actual.set(scope, list);
      list.push(
        kind === 'error'
          ? `${event.type} ${event.name} rejected`
          : changeText(event.type, event.name, event.version, event.replaces?.version),
      );
    }
  }
  for (const scope of caches.keys()) compare(scope);
  return transitions;
}

/** The changes of a response, which are applied to the cache. */
function changesIn({ type, version = '', names = [] }: LoggedEvent, cache: Map<string, Cached>): string[] {
  if (type === undefined || !isShortType(type)) return [];
  const contents = contentsOf(type, Number(version));
  return names.flatMap((name) => {
    if (isInvalid(type, name, Number(version))) return [`${type} ${name} rejected`];
    const now = JSON.stringify(contents.get(name));
    const before = cache.get(`${type} ${name}`);
    cache.set(`${type} ${name}`, { contents: now, version });
    return before?.contents === now ? [] : [changeText(type, name, version, before?.version)];
  });
}

function changeText(
  type: string | undefined,
  name: string | undefined,
  version: string | undefined,
  replaces?: string,
) {
  return `${type} ${name} version ${version} replaces ${replaces ?? 'nothing'}`;
}

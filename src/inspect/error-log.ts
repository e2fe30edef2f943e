import type { ErrorEvent, Event } from '../core/event.js';
import { shortType } from '../proto/resource-types.js';

/** One error with what it caused (A88); the same error of several resources, or again and again, is one. */
export interface PropagatedError
  extends Pick<ErrorEvent, 'scope' | 'server' | 'cause' | 'status' | 'version' | 'effect' | 'failOnDataErrors'> {
  type: string;
  /** At most `MAX_NAMES`, in the order in which they failed. */
  names: string[];
  /** How many resources; more than `names` where these were cut. */
  resources: number;
  /** The number of watchers that were notified. */
  watchers: number;
  count: number;
  first: number;
  last: number;
}

const MAX_ERRORS = 100;
const MAX_NAMES = 20;

/** The errors of the event log. It is bounded: a control plane may cause any number of them. */
export class ErrorLog {
  readonly #errors = new Map<string, PropagatedError>();
  #dropped = 0;

  observe(event: Event): void {
    if (event.kind !== 'error') return;
    const key = keyOf(event);
    const known = this.#errors.get(key);
    if (known === undefined) this.#add(key, event);
    else update(known, event);
  }

  /** In the order in which they began. */
  errors(): PropagatedError[] {
    return [...this.#errors.values()];
  }

  /** How many of the oldest are not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  #add(key: string, event: ErrorEvent): void {
    const { scope, server, cause, status, version, effect, failOnDataErrors, typeUrl, name, watchers, at } = event;
    this.#errors.set(key, {
      ...{ scope, server, cause, status, version, effect, failOnDataErrors, watchers },
      type: shortType(typeUrl),
      names: [name],
      resources: 1,
      count: 1,
      first: at,
      last: at,
    });
    const [oldest] = this.#errors.keys();
    if (this.#errors.size <= MAX_ERRORS || oldest === undefined) return;
    this.#errors.delete(oldest);
    this.#dropped++;
  }
}

/** An error of the connection concerns every resource; any other is about one. */
function keyOf({ scope, server, cause, status, version, effect, typeUrl, name }: ErrorEvent): string {
  const about = cause === 'channel' || cause === 'stream' ? '' : `${typeUrl} ${name}`;
  return [scope, server, cause, status.code, status.message, version ?? '', effect, about].join('\n');
}

function update(known: PropagatedError, { name, watchers, at, typeUrl }: ErrorEvent): void {
  known.count++;
  known.last = at;
  known.watchers = Math.max(known.watchers, watchers);
  if (known.names.includes(name) && known.type === shortType(typeUrl)) return;
  known.resources++;
  if (known.names.length < MAX_NAMES) known.names.push(name);
}

import type { ErrorEvent, Event } from '../core/event.js';
import { shortType } from '../proto/resource-types.js';

/** An error and its effect (A88). Repetitions, and the same connection error of several resources, count as one. */
export interface PropagatedError
  extends Pick<ErrorEvent, 'scope' | 'server' | 'cause' | 'status' | 'version' | 'effect' | 'failOnDataErrors'> {
  type: string;
  /** Resource names in the order of failure; at most `MAX_NAMES`. */
  names: string[];
  /** Number of resources; larger than `names.length` if names were cut. */
  resources: number;
  /** Number of notified watchers. */
  watchers: number;
  count: number;
  first: number;
  last: number;
}

const MAX_ERRORS = 100;
const MAX_NAMES = 20;

/** The contents of an error log. */
export interface ErrorLogState {
  errors: readonly (readonly [string, PropagatedError])[];
  dropped: number;
}

/** The errors of the event log. Bounded, because a control plane can cause any number of errors. */
export class ErrorLog {
  readonly #errors: Map<string, PropagatedError>;
  #dropped: number;

  constructor({ errors, dropped }: ErrorLogState = { errors: [], dropped: 0 }) {
    this.#errors = new Map(errors.map(([key, error]) => [key, copyOf(error)]));
    this.#dropped = dropped;
  }

  /** A copy, from which another log can continue. */
  state(): ErrorLogState {
    return {
      errors: [...this.#errors].map(([key, error]): [string, PropagatedError] => [key, copyOf(error)]),
      dropped: this.#dropped,
    };
  }

  observe(event: Event): void {
    if (event.kind !== 'error') return;
    const key = keyOf(event);
    const known = this.#errors.get(key);
    if (known === undefined) this.#add(key, event);
    else update(known, event);
  }

  /** In the order of their first occurrence. */
  errors(): PropagatedError[] {
    return [...this.#errors.values()];
  }

  /** Number of old errors that were discarded. */
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

function copyOf(error: PropagatedError): PropagatedError {
  return { ...error, names: [...error.names] };
}

/** A connection error affects every resource; any other error affects one. */
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

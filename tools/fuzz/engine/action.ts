import type { ConnectivityState } from '../../../src/core/input.js';

/** How to choose the resources of a response. */
export interface Respond {
  do: 'respond';
  stream: number;
  /** An index: of the types that the stream requested, or of all types if `isStray` is set. */
  type: number;
  /** Sends any type and name instead of what the stream requested. */
  isStray: boolean;
  /** One variant per requested name; undefined omits the name. */
  variants: readonly (number | undefined)[];
  /** Errors that the server reports for single resources (xRFC TP3). */
  errors: readonly { name: number; code: number }[];
  version: string;
  nonce: string;
}

/**
 * One step of the outside world, as in C-core's xds_client_fuzzer. Numbers select one of the streams, channels, queries
 * or watchers that exist when the action runs, so a list of actions stays valid when some of them are removed.
 */
export type Action =
  | { do: 'follow' | 'unfollow'; target: number }
  | { do: 'hold' | 'release'; target: number; cluster: number }
  | { do: 'watch'; scope: number; type: number; name: number }
  | { do: 'unwatch' | 'sent' | 'done'; which: number }
  | Respond
  | { do: 'rubbish'; stream: number; bytes: readonly number[] }
  | { do: 'end'; stream: number; code: number; message: string }
  | { do: 'connectivity'; channel: number; state: ConnectivityState }
  | { do: 'resolved'; query: number; addresses: readonly string[] | undefined }
  /** Advances the clock. A late tick comes after all deadlines of that time. */
  | { do: 'wait'; milliseconds: number; isLate: boolean };

/** Simpler actions of the same kind, for shrinking. */
export function* simplerActions(action: Action): Iterable<Action> {
  if (action.do === 'respond') {
    for (const at of action.variants.keys()) {
      const variant = action.variants[at];
      if (variant !== undefined && variant > 0) yield { ...action, variants: action.variants.with(at, 0) };
      if (at === action.variants.length - 1) yield { ...action, variants: action.variants.slice(0, -1) };
    }
    if (action.errors.length > 0) yield { ...action, errors: action.errors.slice(1) };
    if (action.isStray) yield { ...action, isStray: false };
  }
  if (action.do === 'rubbish' && action.bytes.length > 1) yield { ...action, bytes: action.bytes.slice(1) };
  if (action.do === 'wait' && action.isLate) yield { ...action, isLate: false };
}

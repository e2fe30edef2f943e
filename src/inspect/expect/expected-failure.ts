import { fitsCount } from './count-rule.js';
import type { ExpectedFact } from './expectations.js';

/** Whether an expectation is about the target as a whole: what else fails of it may depend on that. */
export function isAboutVerdict({ kind }: ExpectedFact): boolean {
  return kind === 'verdict' || kind === 'configured';
}

/**
 * Whether an expectation describes a failure: an RPC that does not end with OK, a resource in a state other than ACKED, an
 * error, or no healthy endpoint. A target of which a file expects that has to have a configuration, but no verdict `ok`.
 */
export function expectsFailure(what: ExpectedFact): boolean {
  switch (what.kind) {
    case 'rpc':
      return what.outcome.status !== 'OK';
    case 'status':
      return what.status !== 'ACKED';
    case 'error':
      return true;
    case 'endpoints':
      return what.health === 'healthy' && fitsCount(what.count, 0) && !fitsCount(what.count, 1);
    default:
      return false;
  }
}

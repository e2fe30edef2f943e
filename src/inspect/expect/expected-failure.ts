import { fitsCount } from './count-rule.js';
import type { ExpectedFact } from './expectations.js';

/** Whether an expectation is about the whole target. Other failures of the target may depend on it. */
export function isAboutVerdict({ kind }: ExpectedFact): boolean {
  return kind === 'verdict' || kind === 'configured';
}

/**
 * Whether an expectation describes a failure: an RPC with a status other than OK, a resource with a status other than
 * ACKED, an error, or no healthy endpoint. A target with such an expectation needs a configuration, but not verdict `ok`.
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

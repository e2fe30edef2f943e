import type { Millis } from '../../base/duration.js';
import type { ExpectedFact } from './expectations.js';
import { entryOf, type Observation } from './observation.js';

/** The time from the start until the last change of the observed state; until the end for expectations about the whole time. */
export function metAfter(what: ExpectedFact, observation: Observation): Millis {
  const { now, observed } = observation;
  const at = changedAt(what, observation);
  // CSDS does not show when a resource was requested.
  return at === undefined || Number.isNaN(at) ? observed : Math.min(Math.max(0, at - (now - observed)), observed);
}

function changedAt(what: ExpectedFact, observation: Observation): number | undefined {
  const { now, observed, settledAfter, configuredAt } = observation;
  if ('resource' in what) {
    const { requestedAt = now, updatedAt = requestedAt, error } = entryOf(observation, what.resource) ?? {};
    return Math.max(updatedAt, error?.at ?? updatedAt);
  }
  switch (what.kind) {
    case 'verdict':
    case 'configured':
    case 'rpc':
      return configuredAt;
    case 'settled':
      return settledAfter === undefined ? undefined : now - observed + settledAfter;
    default:
      return undefined;
  }
}

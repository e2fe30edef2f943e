import type { FindingEvent } from '../core/event.js';

/** A mistake of a control plane towards one client: one finding counts all of its occurrences. */
export interface ProtocolFinding extends Omit<FindingEvent, 'kind' | 'at' | 'change'> {
  /** It is ongoing: it repeats, and has not stopped. */
  isOngoing: boolean;
}

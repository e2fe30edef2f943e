import type { ConfigChange } from '../deps/change-times.js';
import { type ChangingChannel, changeSummary, changeText, durationOf } from '../inspect/changes/change-summary.js';
import { timestamp } from '../proto/timestamp.js';

export type ChangesView = ReturnType<typeof changesView>;

/** How long the changes of a target took. */
export function changesView(channel: ChangingChannel, now: number) {
  const summary = changeSummary(channel, now);
  const { first, count, last, ongoing, times } = summary;
  return {
    summary: changeText(summary, now) ?? null,
    /** The first configuration, which is not counted. */
    first: changeView(first),
    count,
    last: changeView(last),
    ongoing: ongoing === undefined ? null : { begin: timestamp(ongoing.begin), durationMs: now - ongoing.begin },
    minMs: times?.min ?? null,
    medianMs: times?.median ?? null,
    p95Ms: times?.p95 ?? null,
    maxMs: times?.max ?? null,
  };
}

function changeView(change: ConfigChange | undefined) {
  if (change === undefined) return null;
  return { begin: timestamp(change.begin), end: timestamp(change.end), durationMs: durationOf(change) };
}

import { countText } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { CHANGE_QUIET_MS, type ConfigChange } from '../../deps/change-times.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import { median } from '../tears/time-text.js';

/** How long the changes of a target took, from the first response to the complete configuration. */
export interface ChangeSummary {
  /** The first configuration of the target, which is not counted as a change. */
  first: ConfigChange | undefined;
  /** The number of changes that are over. */
  count: number;
  last: ConfigChange | undefined;
  /** A change, or the first configuration, that is not over yet. */
  ongoing: ConfigChange | undefined;
  /** Milliseconds; undefined without a change. */
  times: { min: number; median: number; p95: number; max: number } | undefined;
}

/** The facts of a target that the summary depends on. */
export type ChangingChannel = Pick<ChannelSnapshot, 'changes' | 'isWithheld' | 'tears'>;

export function changeSummary(channel: ChangingChannel, now: number): ChangeSummary {
  const { changes } = channel;
  const last = changes.at(-1);
  const ongoing = last !== undefined && !isOver(last, channel, now) ? last : undefined;
  const over = changes.filter((change) => !change.isFirst && change !== ongoing);
  const [first] = changes;
  return {
    first: first?.isFirst === true && first !== ongoing ? first : undefined,
    count: over.length,
    last: over.at(-1),
    ongoing,
    times: over.length === 0 ? undefined : distribution(over.map(durationOf)),
  };
}

export function durationOf({ begin, end }: Pick<ConfigChange, 'begin' | 'end'>): number {
  return end - begin;
}

function isOver({ end, isOver: isKnown }: ConfigChange, { isWithheld, tears }: ChangingChannel, now: number): boolean {
  if (isKnown) return true;
  return now - end >= CHANGE_QUIET_MS && !isWithheld && tears.every((tear) => tear.end !== undefined);
}

function distribution(times: readonly number[]): ChangeSummary['times'] {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { min: at(0), median: median(sorted), p95: at(0.95), max: at(1) };
}

/** From this number of changes on, the 95th percentile says more than the maximum. */
const MANY = 20;

/** `12 changes, each from its first response to the complete configuration: last 340 ms, median 210 ms, longest 1.2 s` */
export function changeText(summary: ChangeSummary, now: number): string | undefined {
  const parts = [countedText(summary), ongoingText(summary, now)].filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : parts.join('; ');
}

function countedText({ count, last, times }: ChangeSummary): string | undefined {
  if (last === undefined || times === undefined) return undefined;
  const took = formatMillis(durationOf(last));
  if (count === 1) return `1 change, complete ${took} after its first response`;
  const p95 = count < MANY ? '' : `, p95 ${formatMillis(times.p95)}`;
  const spread = `median ${formatMillis(times.median)}${p95}, longest ${formatMillis(times.max)}`;
  return `${countText(count, 'change')}, complete ${took} (last; ${spread}) after the first response`;
}

function ongoingText({ ongoing }: ChangeSummary, now: number): string | undefined {
  if (ongoing === undefined || ongoing.isFirst) return undefined;
  return `a change is incomplete for ${formatMillis(now - ongoing.begin)}`;
}

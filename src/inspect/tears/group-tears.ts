import type { Tear, TearKind, TornResource, TornRoute } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import { adviceOn } from './advice.js';
import { happened, withoutA74 } from './sentences.js';
import { rangeText } from './time-text.js';

/** Tears of a target that differ only in times and versions. */
export interface TearGroup {
  target: string;
  kind: TearKind;
  count: number;
  /** Number of tears that are still open. */
  open: number;
  /** Milliseconds; an open tear lasts until now. */
  minMs: number;
  maxMs: number;
  /** When the first tear began and the last one ended. */
  begin: number;
  end: number | undefined;
  /** From the last tear of the group. */
  resources: readonly TornResource[];
  neededBy: TornResource | undefined;
  routes: readonly TornRoute[];
  /** `RDS news-routes version 8 names news-green 400 ms before CDS has it` */
  happened: string;
  /** What a client with A74 did. */
  withA74: string;
  /** The effect on RPCs of a client without A74. */
  withoutA74: string;
  advice: string;
}

/** Open groups come first, then in the order in which they began. */
export function groupTears(channels: readonly Pick<ChannelSnapshot, 'target' | 'tears'>[], now: number): TearGroup[] {
  const groups = channels.flatMap(({ target, tears }) => {
    const byKey = new Map<string, [Tear, ...Tear[]]>();
    for (const tear of tears) {
      const key = keyOf(tear);
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [tear]);
      else known.push(tear);
    }
    return [...byKey.values()].map((equal) => groupOf(target, equal, now));
  });
  return groups.sort((a, b) => Number(b.open > 0) - Number(a.open > 0) || a.begin - b.begin);
}

function keyOf({ kind, resources, neededBy, filters, servers, resolvedBy, instead }: Tear): string {
  const names = [...resources, ...(neededBy === undefined ? [] : [neededBy])].map(({ type, name }) => [type, name]);
  return JSON.stringify([kind, names, filters, servers, resolvedBy, instead]);
}

function groupOf(target: string, tears: readonly [Tear, ...Tear[]], now: number): TearGroup {
  const last = tears.at(-1) ?? tears[0];
  const { kind, end, resources, neededBy, routes, instead } = last;
  let minMs = Number.POSITIVE_INFINITY;
  let maxMs = 0;
  for (const tear of tears) {
    const lasted = (tear.end ?? now) - tear.begin;
    minMs = Math.min(minMs, lasted);
    maxMs = Math.max(maxMs, lasted);
  }
  return {
    target,
    kind,
    count: tears.length,
    open: tears.filter((tear) => tear.end === undefined).length,
    minMs,
    maxMs,
    begin: tears[0].begin,
    end,
    resources,
    neededBy,
    routes,
    happened: happened(tears, rangeText(minMs, maxMs)),
    withA74: instead,
    withoutA74: withoutA74(last),
    advice: adviceOn(last),
  };
}

import type { StreamId } from '../../core/input.js';
import { shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

/** A server that sends everything anew takes no longer than this from the first type to the last. */
const LATE_MS = 5000;
/** One type that changes alone says nothing about the others. */
const MIN_TYPES = 3;
/** Types that have versions of their own may have the same once or twice by chance. */
const MIN_STEPS = 3;

/** The types of a stream, on their way from version to version. */
interface Convoy {
  scope: string;
  server: string;
  /** The latest of each type that is asked for. */
  versions: Map<string, string>;
  /** The last version that all types had at the same time. */
  common: string | undefined;
  /** The last version that all types had but for one at most, and how many there have been of these. */
  reached: string | undefined;
  steps: number;
  /** Since when some have gone on from the common version. */
  leftAt: number | undefined;
}

/**
 * A server with one version for everything sends all types anew when one changes. A type that stays where it was has been
 * forgotten, and what becomes of it the client never hears.
 */
export function stragglers(report: Report): Rule {
  const convoys = new Map<StreamId, Convoy>();

  function advance(convoy: Convoy, version: string, at: number): void {
    const all = [...convoy.versions.values()];
    const missing = all.filter((one) => one !== version).length;
    if (missing <= 1 && all.length >= MIN_TYPES && convoy.reached !== version) {
      convoy.reached = version;
      convoy.steps++;
    }
    if (missing === 0) {
      convoy.common = version;
      convoy.leftAt = undefined;
    } else if (convoy.common !== undefined) convoy.leftAt ??= at;
  }

  function judge({ scope, server, versions, common, reached, steps }: Convoy, at: number): void {
    const behind = [...versions.keys()].filter((type) => versions.get(type) === common);
    const ahead = [...versions.keys()].filter((type) => versions.get(type) === reached);
    const [typeUrl] = behind;
    const isClear = behind.length === 1 && ahead.length === versions.size - 1;
    if (typeUrl === undefined || !isClear || steps < MIN_STEPS || versions.size < MIN_TYPES) return;
    const others = ahead.map(shortType).join(', ');
    const message = `${shortType(typeUrl)} stays at version ${common}, while ${others}, which had it too, are at version ${reached}`;
    report({ code: 'XI224', at, scope, server, typeUrl, message });
  }

  function settle(now: number): void {
    for (const convoy of convoys.values()) {
      const due = convoy.leftAt === undefined ? Number.POSITIVE_INFINITY : convoy.leftAt + LATE_MS;
      if (now < due) continue;
      convoy.leftAt = undefined;
      judge(convoy, due);
    }
  }

  return {
    request({ stream, typeUrl, names }) {
      if (names.length === 0) convoys.get(stream)?.versions.delete(typeUrl);
    },
    response({ at, scope, server, stream, typeUrl, version }) {
      // Before this response counts: what is found depends on the log alone.
      settle(at);
      let convoy = convoys.get(stream);
      if (convoy === undefined) {
        convoy = {
          scope,
          server,
          versions: new Map(),
          common: undefined,
          reached: undefined,
          steps: 0,
          leftAt: undefined,
        };
        convoys.set(stream, convoy);
      }
      if (convoy.versions.get(typeUrl) === version) return;
      convoy.versions.set(typeUrl, version);
      advance(convoy, version, at);
    },
    nextDeadline() {
      let earliest: number | undefined;
      for (const { leftAt } of convoys.values()) {
        if (leftAt !== undefined && (earliest === undefined || leftAt + LATE_MS < earliest))
          earliest = leftAt + LATE_MS;
      }
      return earliest;
    },
    endStep: settle,
    forget: (stream) => void convoys.delete(stream),
  };
}

import { earliestOf } from '../../base/earliest.js';
import { getOrAdd } from '../../base/get-or-add.js';
import type { StreamId } from '../../core/input.js';
import { shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

/** A server that sends everything anew takes no longer than this from the first type to the last. */
const LATE_MS = 5000;
/** One type that changes alone says nothing about the others. */
const MIN_TYPES = 3;
/** Types that are sent for reasons of their own begin with the same version, as in Istio, but do not change together. */
const MIN_TOGETHER = 2;

/** The types of a stream, on their way from version to version. */
interface TypeVersions {
  scope: string;
  server: string;
  /** The latest of each type that is asked for. */
  versions: Map<string, string>;
  /** The last version that all types had at the same time, and how many there have been of these. */
  common: string | undefined;
  together: number;
  /** Since when some have gone on from the common version. */
  leftAt: number | undefined;
}

function newConvoy(scope: string, server: string): TypeVersions {
  return { scope, server, versions: new Map(), common: undefined, together: 0, leftAt: undefined };
}

/**
 * A server with one version for everything sends all types anew when one changes. A type that stays where it was has been
 * forgotten, and what becomes of it the client never hears.
 */
export function staleType(report: Report): Rule {
  const convoys = new Map<StreamId, TypeVersions>();

  function advance(convoy: TypeVersions, version: string, at: number): void {
    const { versions, common } = convoy;
    if ([...versions.values()].some((one) => one !== version)) {
      if (common !== undefined) convoy.leftAt ??= at;
      return;
    }
    if (versions.size >= MIN_TYPES && common !== version) {
      convoy.common = version;
      convoy.together++;
    }
    convoy.leftAt = undefined;
  }

  function judge({ scope, server, versions, common, together }: TypeVersions, at: number): void {
    const behind = [...versions.keys()].filter((type) => versions.get(type) === common);
    const ahead = [...versions.keys()].filter((type) => versions.get(type) !== common);
    const reached = new Set(ahead.map((type) => versions.get(type)));
    const [typeUrl] = behind;
    if (typeUrl === undefined || behind.length > 1 || reached.size > 1) return;
    if (versions.size < MIN_TYPES || together < MIN_TOGETHER) return;
    const others = ahead.map(shortType).join(', ');
    const message = `${shortType(typeUrl)} stays at version ${common}, while ${others}, which had it too, are at version ${[...reached][0]}`;
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
      const convoy = getOrAdd(convoys, stream, () => newConvoy(scope, server));
      if (convoy.versions.get(typeUrl) === version) return;
      convoy.versions.set(typeUrl, version);
      advance(convoy, version, at);
    },
    nextDeadline: () =>
      earliestOf(convoys.values(), ({ leftAt }) => (leftAt === undefined ? undefined : leftAt + LATE_MS)),
    endStep: settle,
    forget: (stream) => void convoys.delete(stream),
  };
}

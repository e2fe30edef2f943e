import { earliestOf } from '../../base/earliest.js';
import { getOrAdd } from '../../base/get-or-add.js';
import type { StreamId } from '../../core/input.js';
import { shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

/** A server that pushes all types needs at most this much time from the first type to the last. */
const MAX_LAG_MS = 5000;
/** With fewer types, a change of one type does not imply a change of the others. */
const MIN_TYPES = 3;
/** Types that change independently may start at the same version, as in Istio, but do not reach a second one together. */
const MIN_COMMON_VERSIONS = 2;

/** The current version of each type on a stream. */
interface TypeVersions {
  scope: string;
  server: string;
  /** The latest version of each requested type. */
  versions: Map<string, string>;
  /** The last version that all types had at the same time, and the number of such versions. */
  common: string | undefined;
  commonVersions: number;
  /** Time at which the first type left the common version. */
  leftAt: number | undefined;
}

function newTypeVersions(scope: string, server: string): TypeVersions {
  return { scope, server, versions: new Map(), common: undefined, commonVersions: 0, leftAt: undefined };
}

/**
 * Detects a type that a server with one version for all types no longer updates. Such a server pushes all types when one
 * changes. The client never receives changes of the type that stays at the old version.
 */
export function staleType(report: Report): Rule {
  const streams = new Map<StreamId, TypeVersions>();

  function advance(types: TypeVersions, version: string, at: number): void {
    const { versions, common } = types;
    if ([...versions.values()].some((one) => one !== version)) {
      if (common !== undefined) types.leftAt ??= at;
      return;
    }
    if (versions.size >= MIN_TYPES && common !== version) {
      types.common = version;
      types.commonVersions++;
    }
    types.leftAt = undefined;
  }

  function evaluate({ scope, server, versions, common, commonVersions }: TypeVersions, at: number): void {
    const behind = [...versions.keys()].filter((type) => versions.get(type) === common);
    const ahead = [...versions.keys()].filter((type) => versions.get(type) !== common);
    const reached = new Set(ahead.map((type) => versions.get(type)));
    const [typeUrl] = behind;
    if (typeUrl === undefined || behind.length > 1 || reached.size > 1) return;
    if (versions.size < MIN_TYPES || commonVersions < MIN_COMMON_VERSIONS) return;
    const others = ahead.map(shortType).join(', ');
    const message = `${shortType(typeUrl)} stays at version ${common}, although ${others} advanced from it to version ${[...reached][0]}`;
    report({ code: 'XI224', at, scope, server, typeUrl, message });
  }

  function evaluateDue(now: number): void {
    for (const types of streams.values()) {
      const due = types.leftAt === undefined ? Number.POSITIVE_INFINITY : types.leftAt + MAX_LAG_MS;
      if (now < due) continue;
      types.leftAt = undefined;
      evaluate(types, due);
    }
  }

  return {
    request({ stream, typeUrl, names }) {
      if (names.length === 0) streams.get(stream)?.versions.delete(typeUrl);
    },
    response({ at, scope, server, stream, typeUrl, version }) {
      // Before this response is counted, so that findings depend only on the log.
      evaluateDue(at);
      const types = getOrAdd(streams, stream, () => newTypeVersions(scope, server));
      if (types.versions.get(typeUrl) === version) return;
      types.versions.set(typeUrl, version);
      advance(types, version, at);
    },
    nextDeadline: () =>
      earliestOf(streams.values(), ({ leftAt }) => (leftAt === undefined ? undefined : leftAt + MAX_LAG_MS)),
    endStep: evaluateDue,
    forget: (stream) => void streams.delete(stream),
  };
}

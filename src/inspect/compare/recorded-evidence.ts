import { formatMillis } from '../../base/duration.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import type { Event } from '../../core/event.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { shortType } from '../../proto/resource-types.js';
import type { InspectionResult } from '../inspection-result.js';
import type { Evidence } from './implementation-run.js';

/** The servers that a client has sent the name of each resource to. */
export class RequestLog {
  readonly #servers = new Map<string, Set<string>>();

  observe(event: Event): void {
    if (event.kind !== 'request') return;
    for (const name of event.names) {
      const key = keyOf(event.scope, event.typeUrl, name);
      const servers = this.#servers.get(key);
      if (servers === undefined) this.#servers.set(key, new Set([event.server]));
      else servers.add(event.server);
    }
  }

  serversOf(scope: string, { typeUrl, name }: Pick<CacheEntry, 'typeUrl' | 'name'>): ReadonlySet<string> | undefined {
    return this.#servers.get(keyOf(scope, typeUrl, name));
  }
}

function keyOf(scope: string, typeUrl: string, name: string): string {
  return JSON.stringify([scope, typeUrl, name]);
}

/** The recorded client, which is the only one that the control plane has responded to. */
export interface RecordedClient {
  preset: Preset;
  requests: RequestLog;
  result: InspectionResult;
  /** The length of the session. */
  lengthMs: number;
}

/**
 * The evidence of a recording for another implementation. A control plane may have any response to a request that the
 * recorded client did not send, so that a resource which was only requested by the other client is unknown.
 */
export function recordedEvidence(recorded: RecordedClient, requests: RequestLog): Evidence {
  const { preset, result, lengthMs } = recorded;
  const isWaiting = (target: string): boolean =>
    result.verdicts.some((one) => one.target === target && one.verdict === 'waiting');
  return {
    missingFor: (scope, entry) => {
      if (hasResponse(entry)) return undefined;
      const asked = recorded.requests.serversOf(scope, entry);
      const what = `${shortType(entry.typeUrl)} ${entry.name}`;
      if (asked === undefined)
        return isKnownTo(result, scope, entry) ? undefined : `the recorded client (${preset}) never requested ${what}`;
      const other = [...(requests.serversOf(scope, entry) ?? [])].find((server) => !asked.has(server));
      return other === undefined ? undefined : `the recorded client (${preset}) never requested ${what} from ${other}`;
    },
    waitIsUnknown: (target) =>
      isWaiting(target)
        ? undefined
        : `the recording ends after ${formatMillis(lengthMs)}, while this client still waits and the recorded one (${preset}) does not`,
  };
}

/** Whether a server has sent something about the resource, also if the client did not ask for it. */
function hasResponse({ resource, rejected, error }: CacheEntry): boolean {
  return resource !== undefined || rejected !== undefined || error?.cause === 'server-error';
}

/** The recorded client needs the resource, but could not send a request. Neither can another client. */
function isKnownTo({ snapshot }: InspectionResult, scope: string, { typeUrl, name }: CacheEntry): boolean {
  return snapshot.some((one) => one.scope === scope && one.entry(typeUrl, name) !== undefined);
}

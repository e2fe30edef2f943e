import { getOrAdd } from '../../base/get-or-add.js';
import { median } from '../tears/time-text.js';
import type { FleetAnswer, FleetClient } from './fleet-inspection.js';

/** When the clients of a fleet received a new version of a type. */
export interface Rollout {
  typeUrl: string;
  version: string;
  /** How many clients received it, and how many use resources of the type. */
  clients: number;
  of: number;
  /** When the first client received it. */
  firstAt: number;
  /** Milliseconds after the first client. */
  medianMs: number;
  lastMs: number;
  /** `clients`: the times that the clients state, by their own clocks. `polls`: when a poll found it. */
  clock: 'clients' | 'polls';
  /** When a poll last found another client that has it. */
  changedAt: number;
}

interface Arrival {
  /** NaN if the client does not say. */
  stated: number;
  observed: number;
}

interface OpenRollout {
  typeUrl: string;
  version: string;
  arrivals: Map<string, Arrival>;
  changedAt: number;
}

/** Only the last ones are kept: each has the time of every client. */
const MOST = 8;

/** Follows which client receives which version when, from one poll to the next. */
export class Rollouts {
  readonly #open = new Map<string, OpenRollout>();

  /** Compares two responses of a process. The first response of a client is not a change. */
  onAnswer(answer: FleetAnswer, before: FleetAnswer | undefined, now: number): void {
    const old = new Map((before?.clients ?? []).map((client) => [clientKey(client), client]));
    for (const client of answer.clients) {
      const known = old.get(clientKey(client));
      if (known === undefined || known.state === client.state) continue;
      for (const [key, { typeUrl, version, stated }] of newVersions(known, client)) {
        const rollout = getOrAdd(this.#open, key, () => {
          return { typeUrl, version, arrivals: new Map(), changedAt: now };
        });
        if (rollout.arrivals.has(clientKey(client))) continue;
        rollout.arrivals.set(clientKey(client), { stated, observed: now });
        rollout.changedAt = now;
      }
    }
    for (const key of this.#open.keys()) {
      if (this.#open.size <= MOST) break;
      this.#open.delete(key);
    }
  }

  /** The last rollouts, the oldest first. */
  list(answers: readonly FleetAnswer[]): Rollout[] {
    if (this.#open.size === 0) return [];
    const clients = answers.flatMap((answer) => answer.clients);
    const users = new Map<string, number>();
    for (const { state } of clients) {
      for (const typeUrl of new Set(state.resources.map((held) => held.typeUrl))) {
        users.set(typeUrl, (users.get(typeUrl) ?? 0) + 1);
      }
    }
    return [...this.#open.values()].map((one) => rolloutOf(one, users.get(one.typeUrl) ?? 0));
  }
}

export function clientKey({ address, clientScope, node }: FleetClient): string {
  return JSON.stringify([address, clientScope, node]);
}

interface NewVersion {
  typeUrl: string;
  version: string;
  stated: number;
}

/** The versions of each type that the client did not have before. */
function newVersions(before: FleetClient, { state, times }: FleetClient): Map<string, NewVersion> {
  const key = (typeUrl: string, version: string): string => `${typeUrl} ${version}`;
  const had = new Set(before.state.resources.flatMap(({ typeUrl, version }) => key(typeUrl, version ?? '')));
  const found = new Map<string, NewVersion>();
  for (const [i, { typeUrl, version }] of state.resources.entries()) {
    if (version === null || had.has(key(typeUrl, version))) continue;
    const one = getOrAdd(found, key(typeUrl, version), () => ({ typeUrl, version, stated: Number.NaN }));
    const time = times[i] ?? Number.NaN;
    one.stated = Number.isNaN(one.stated) ? time : Math.min(one.stated, Number.isNaN(time) ? one.stated : time);
  }
  return found;
}

function rolloutOf({ typeUrl, version, arrivals, changedAt }: OpenRollout, users: number): Rollout {
  const all = [...arrivals.values()];
  const clock = all.some(({ stated }) => Number.isNaN(stated)) ? 'polls' : 'clients';
  const times = all.map(({ stated, observed }) => (clock === 'clients' ? stated : observed)).sort((a, b) => a - b);
  const [firstAt = 0] = times;
  return {
    typeUrl,
    version,
    clients: all.length,
    of: Math.max(users, all.length),
    firstAt,
    medianMs: median(times) - firstAt,
    lastMs: (times.at(-1) ?? firstAt) - firstAt,
    clock,
    changedAt,
  };
}

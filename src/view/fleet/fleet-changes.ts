import type { Fleet } from '../../inspect/fleet/fleet.js';
import type { FleetAnswer } from '../../inspect/fleet/fleet-inspection.js';
import { clientKey, type Rollout } from '../../inspect/fleet/rollouts.js';
import type { StandingWord } from '../../inspect/fleet/standing.js';
import {
  type FleetDocument,
  type FleetProblemView,
  type ResourceVersionsView,
  type RolloutView,
  rolloutView,
} from './fleet-document.js';

interface ClientChange {
  kind: 'client';
  change: 'appeared' | 'changed' | 'lost';
  scope: string;
  address: string;
  clientScope: string;
  node: string | null;
  /** The last one, if the client is lost. */
  state: StandingWord;
  problems: FleetProblemView[];
}

interface ProcessChange {
  kind: 'process';
  change: 'read' | 'unread';
  address: string;
  error: string | null;
}

/** A change in the fleet since the last look. */
export type FleetChange =
  | ClientChange
  | ProcessChange
  | ({ kind: 'versions' } & ResourceVersionsView)
  | ({ kind: 'rollout'; isOver: boolean } & RolloutView)
  | ({ kind: 'fleet' } & Pick<FleetDocument, 'summary' | 'addresses' | 'answered' | 'clients' | 'counts'>);

interface KnownClient {
  state: object;
  /** How it was last described. */
  described: ClientChange;
  signature: string;
}

/** Compares each look at a fleet with the last one. */
export class FleetChanges {
  readonly #quietMs: number;
  #clients = new Map<string, KnownClient>();
  #errors = new Map<string, string | null>();
  #versions = new Map<string, string>();
  readonly #rollouts = new Map<string, string>();
  #summary = '';

  /** `quietMs`: a version that reaches no further client for this time has arrived where it will. */
  constructor(quietMs: number) {
    this.#quietMs = quietMs;
  }

  since(
    fleet: Fleet,
    document: FleetDocument,
    { answers, rollouts, now }: { answers: readonly FleetAnswer[]; rollouts: readonly Rollout[]; now: number },
  ): FleetChange[] {
    return [
      ...this.#processChanges(answers),
      ...this.#clientChanges(fleet, document),
      ...this.#versionChanges(document),
      ...this.#rolloutChanges(rollouts, now),
      ...this.#fleetChange(document),
    ];
  }

  #processChanges(answers: readonly FleetAnswer[]): FleetChange[] {
    return answers.flatMap(({ address, problems }): FleetChange[] => {
      const error = problems[0] ?? null;
      const known = this.#errors.get(address);
      this.#errors.set(address, error);
      if (known === error || (known === undefined && error === null)) return [];
      return [{ kind: 'process', change: error === null ? 'read' : 'unread', address, error }];
    });
  }

  #clientChanges({ groups }: Fleet, document: FleetDocument): FleetChange[] {
    const before = this.#clients;
    this.#clients = new Map();
    const changes: FleetChange[] = [];
    for (const [i, { clients, standing, scope }] of groups.entries()) {
      const problems = document.groups[i]?.problems ?? [];
      const signature = JSON.stringify(
        problems.map(({ kind, name, type, version, message }) => [kind, type, name, version, message]),
      );
      for (const client of clients) {
        const { address, clientScope, node, state } = client;
        const key = clientKey(client);
        const known = before.get(key);
        before.delete(key);
        const described: ClientChange = {
          kind: 'client',
          change: known === undefined ? 'appeared' : 'changed',
          scope,
          address,
          clientScope,
          node,
          state: standing.word,
          problems,
        };
        this.#clients.set(key, { state, described, signature });
        if (known?.state !== state || isWorse(known, described, signature)) changes.push(described);
      }
    }
    for (const { described } of before.values()) changes.push({ ...described, change: 'lost' });
    return changes;
  }

  #versionChanges({ resources }: FleetDocument): FleetChange[] {
    const before = this.#versions;
    this.#versions = new Map();
    return resources.flatMap((one): FleetChange[] => {
      const key = JSON.stringify([one.typeUrl, one.name]);
      const signature = JSON.stringify(one.versions.map(({ version, clients }) => [version, clients]));
      this.#versions.set(key, signature);
      return before.get(key) === signature ? [] : [{ kind: 'versions', ...one }];
    });
  }

  #rolloutChanges(rollouts: readonly Rollout[], now: number): FleetChange[] {
    return rollouts.flatMap((one): FleetChange[] => {
      const isOver = one.clients >= one.of || now - one.changedAt >= this.#quietMs;
      const key = JSON.stringify([one.typeUrl, one.version]);
      const signature = `${one.clients} ${isOver}`;
      if (this.#rollouts.get(key) === signature) return [];
      this.#rollouts.set(key, signature);
      return [{ kind: 'rollout', isOver, ...rolloutView(one) }];
    });
  }

  #fleetChange({ summary, addresses, answered, clients, counts }: FleetDocument): FleetChange[] {
    if (summary === this.#summary) return [];
    this.#summary = summary;
    return [{ kind: 'fleet', summary, addresses, answered, clients, counts }];
  }
}

/** A client that has not changed itself may differ now because others have; only its state counts then. */
function isWorse(known: KnownClient | undefined, { state }: ClientChange, signature: string): boolean {
  return known === undefined || (known.signature !== signature && known.described.state !== state);
}

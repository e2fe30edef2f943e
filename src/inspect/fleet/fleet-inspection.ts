import { DEFAULT_PRESET } from '../../bootstrap/preset-names.js';
import { policiesOf } from '../../bootstrap/presets.js';
import type { Preset } from '../../bootstrap/switches.js';
import type { CsdsResponse } from '../../csds/csds-client.js';
import { csdsFailure } from '../../csds/csds-failure.js';
import type { ClientDump } from '../../csds/dump.js';
import { followDump } from '../../csds/follow-dump.js';
import { readClientStatus } from '../../csds/read-client-status.js';
import { recognizedClient } from '../../csds/recognized-client.js';
import { scopeKind } from '../../csds/scope-kind.js';
import { validateDump } from '../../csds/validate-dump.js';
import { type ProcessAnswer, ProcessPoller, type ProcessSource } from '../process-poller.js';
import { remoteVerdicts } from '../remote-answer.js';
import { worst } from '../verdict/verdict.js';
import { type ClientState, type DescribedClient, StatePool, type StateVerdict } from './client-state.js';

export interface FleetSource extends ProcessSource {
  /** undefined: the preset of each client's own implementation. */
  as: Preset | undefined;
  defaultAuthority: string | undefined;
}

/** A client of the fleet: what only it has, and the state that it shares with others. */
export interface FleetClient {
  address: string;
  node: string | null;
  clientScope: string;
  state: ClientState;
  /** When it received each resource, in the order of its state; NaN if that is not known. */
  times: Float64Array;
  /** When it received each failed update, by the index of the resource. */
  errorTimes: ReadonlyMap<number, number> | undefined;
}

/** A process of the fleet after its last response. */
export interface FleetAnswer extends ProcessAnswer {
  clients: readonly FleetClient[];
  /** Sentences that explain why data is missing. */
  problems: readonly string[];
  isDead: boolean;
}

/** Many processes, of which only what is compared is kept. */
export class FleetInspection extends ProcessPoller<FleetAnswer> {
  readonly #source: FleetSource;
  readonly #pool = new StatePool();

  constructor(source: FleetSource) {
    super(source);
    this.#source = source;
  }

  protected async read(address: string, response: CsdsResponse): Promise<FleetAnswer> {
    const dead = (problems: string[]): FleetAnswer => ({ address, clients: [], problems, isDead: true });
    if ('failure' in response) return dead([csdsFailure(response.failure, this.#source)]);
    const { clients, problems } = readClientStatus(response.bytes);
    if (clients.length === 0 && problems.length > 0) return dead(problems);
    this.#pool.sweep(() => this.answers().flatMap((one) => one.clients.map(({ state }) => state)));
    const read: FleetClient[] = [];
    for (const dump of clients) read.push(await this.#client(address, dump));
    return { address, clients: read, problems, isDead: false };
  }

  async #client(address: string, dump: ClientDump): Promise<FleetClient> {
    const { scope } = scopeKind(dump.clientScope);
    const described = this.#pool.describe(scope, dump);
    const known = this.#pool.state(described.key) ?? (await this.#newState(scope, dump, described));
    const { times, errorTimes } = described;
    return {
      address,
      node: dump.node?.id ?? null,
      clientScope: dump.clientScope,
      state: known,
      times,
      errorTimes,
    };
  }

  /** Validates and follows the resources: once for all clients that have the same ones. */
  async #newState(scope: string, dump: ClientDump, { key, resources }: DescribedClient): Promise<ClientState> {
    const { as, defaultAuthority } = this.#source;
    const policies = policiesOf(as ?? recognizedClient(dump.node)?.preset ?? DEFAULT_PRESET);
    const validated = validateDump(dump, policies);
    const resolutions = await this.resolveHosts([validated]);
    const now = this.now();
    const snapshot = followDump(validated, { policies, now, defaultAuthority, resolutions });
    const verdicts = remoteVerdicts(validated, snapshot, now);
    const word = worst(verdicts.map(({ verdict }) => verdict));
    const message = verdicts.find(({ verdict }) => verdict === word)?.cause?.message ?? null;
    // The state is shared with clients that have other node ids.
    const cause = message?.replaceAll(` (node ID:${dump.node?.id})`, '') ?? null;
    const verdict: StateVerdict = verdicts.length === 0 ? { word: 'unknown', cause: null } : { word, cause };
    return this.#pool.add(key, { scope, resources, verdict });
  }
}

import { formatMillis } from '../base/duration.js';
import { PRESETS } from '../bootstrap/presets.js';
import type { Preset } from '../bootstrap/switches.js';
import type { Resolution } from '../core/input.js';
import type { CsdsClient, CsdsResponse } from '../csds/csds-client.js';
import { type CsdsCall, csdsFailure } from '../csds/csds-failure.js';
import { type FollowedDump, type FollowOptions, followDump, hostsIn } from '../csds/follow-dump.js';
import { readClientStatus } from '../csds/read-client-status.js';
import { type ValidatedDump, validateDump } from '../csds/validate-dump.js';
import type { Clock, Dns } from '../engine/ports.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { EventFeed } from './event-feed.js';
import { type TargetResult, targetResults } from './inspection-result.js';
import { type Condition, never, type Waitable, type WaitEnding, type WaitOptions, waitOnClock } from './until.js';
import { VerdictFacts } from './verdict/facts.js';
import { type TargetVerdict, unknownVerdict, verdictsOf } from './verdict/verdict.js';

/** Other processes, read over CSDS: gRPC applications and control planes. */
export interface CsdsSource extends CsdsCall {
  kind: 'csds';
  clients: ReadonlyMap<string, CsdsClient>;
  request: Uint8Array;
  as: Preset;
  defaultAuthority: string | undefined;
  /** Time limit for resolving the host names of LOGICAL_DNS clusters. */
  dnsTimeoutMs: number;
  /** Poll interval; undefined: each process is read once. */
  pollEveryMs: number | undefined;
  ports: { clock: Clock; dns: Dns };
}

/** An XdsClient of another process. */
export interface RemoteClient {
  validated: ValidatedDump;
  snapshot: FollowedDump;
  /** One per target, including targets that CSDS shows only partly. */
  verdicts: TargetVerdict[];
}

/** The last CSDS response of a process. */
export interface RemoteAnswer {
  address: string;
  clients: RemoteClient[];
  /** Sentences that explain why data is missing. */
  problems: string[];
  /** No data could be read. */
  isDead: boolean;
}

/** The targets of each client that a process has. */
export function remoteTargets({ address, clients }: RemoteAnswer): TargetResult[][] {
  return clients.map(({ validated: result, snapshot, verdicts }) =>
    targetResults(snapshot, result.dump.node?.id, verdicts).map((target) => ({ address, ...target })),
  );
}

/** Computes one verdict per target. CSDS has no events, so causes are less specific than those of a live client. */
export function remoteVerdicts({ dump }: ValidatedDump, snapshot: FollowedDump, now: number): TargetVerdict[] {
  const { scope, unfollowed } = snapshot;
  return [
    // The remote process is a running client itself, so there is no other client to compare it with.
    ...verdictsOf([snapshot], { facts: new VerdictFacts(), nodeId: dump.node?.id, now }).map((one) => ({
      ...one,
      clients: null,
    })),
    ...unfollowed.map(({ target }) => ({ scope, ...unknownVerdict(target) })),
  ];
}

/** Reads a ClientStatusResponse and validates the resources in it. */
export function readRemote(bytes: Uint8Array, as: Preset): { dumps: ValidatedDump[]; problems: string[] } {
  const { clients, problems } = readClientStatus(bytes);
  return { dumps: clients.map((dump) => validateDump(dump, PRESETS[as].policies)), problems };
}

/** Follows the targets of the clients of a process. */
export function followRemote(
  dumps: readonly ValidatedDump[],
  { as, ...options }: Omit<FollowOptions, 'policies'> & { as: Preset },
): RemoteClient[] {
  return dumps.map((validated) => {
    const snapshot = followDump(validated, { policies: PRESETS[as].policies, ...options });
    return { validated, snapshot, verdicts: remoteVerdicts(validated, snapshot, options.now) };
  });
}

type AnswerListener = (answer: RemoteAnswer, before: RemoteAnswer | undefined) => Promise<void> | void;

/** Reads all processes in parallel, so that a slow process does not delay the others. CSDS has no events and no history. */
export class CsdsInspection implements Waitable {
  readonly events = new EventFeed();
  readonly #source: CsdsSource;
  readonly #latest = new Map<string, RemoteAnswer>();
  readonly #listeners: AnswerListener[] = [];
  /** Cancel the running timers, which would keep the process alive. */
  readonly #stops = new Set<() => void>();
  #isClosed = false;

  constructor(source: CsdsSource) {
    this.#source = source;
  }

  get addresses(): string[] {
    return [...this.#source.clients.keys()];
  }

  now(): number {
    return this.#source.ports.clock.now();
  }

  /** Calls the listener with every response. The next poll of that process waits for the returned promise. */
  onAnswer(listener: AnswerListener): void {
    this.#listeners.push(listener);
  }

  /** The last responses, in the order of the addresses. */
  answers(): RemoteAnswer[] {
    return this.addresses.flatMap((address) => this.#latest.get(address) ?? []);
  }

  snapshot(): ScopeSnapshot[] {
    return this.answers().flatMap(({ clients }) => clients.map(({ snapshot }) => snapshot));
  }

  /** Always empty: CSDS does not show the wire, which protocol findings need. */
  findings(): ProtocolFinding[] {
    return [];
  }

  verdict(): TargetVerdict[] {
    return this.answers().flatMap(({ clients }) => clients.flatMap(({ verdicts }) => verdicts));
  }

  /** Ends when the condition holds; without polling, also when every process has responded. */
  async until(condition: Condition, wait: WaitOptions): Promise<WaitEnding> {
    const { clock } = this.#source.ports;
    let changed = (): void => {};
    let isAllRead = false;
    const working = Promise.all(this.addresses.map((address) => this.#follow(address, () => changed())));
    const failed = working.then(() => {
      isAllRead = true;
      changed();
    });
    const waiting = waitOnClock(
      clock,
      (wake) => {
        changed = wake;
        return () => {
          changed = () => {};
        };
      },
      (now) => (isAllRead ? { isMet: true } : condition(now)),
      wait,
    );
    const end = await Promise.race([waiting, failed.then(() => waiting)]);
    this.#stop();
    return end;
  }

  close(): void {
    this.#stop();
    for (const client of this.#source.clients.values()) client.close();
  }

  #stop(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  #onStop(stop: () => void): () => void {
    this.#stops.add(stop);
    return () => this.#stops.delete(stop);
  }

  async #follow(address: string, changed: () => void): Promise<void> {
    const { pollEveryMs, request, ports, clients } = this.#source;
    const client = clients.get(address) as CsdsClient;
    for (;;) {
      const requestedAt = ports.clock.now();
      const answer = await this.#read(
        address,
        await (pollEveryMs === undefined ? client.fetch(request) : client.poll(request)),
      );
      if (this.#isClosed) return;
      const before = this.#latest.get(address);
      this.#latest.set(address, answer);
      for (const listener of this.#listeners) await listener(answer, before);
      changed();
      if (pollEveryMs === undefined) return;
      const limit = requestedAt + pollEveryMs - ports.clock.now();
      await waitOnClock(ports.clock, () => () => {}, never, { limit, onInterrupt: (stop) => this.#onStop(stop) });
      if (this.#isClosed) return;
    }
  }

  async #read(address: string, answer: CsdsResponse): Promise<RemoteAnswer> {
    const dead = (problems: string[]): RemoteAnswer => ({ address, clients: [], problems, isDead: true });
    if ('failure' in answer) return dead([csdsFailure(answer.failure, this.#source)]);
    const { as, defaultAuthority } = this.#source;
    const { dumps, problems } = readRemote(answer.bytes, as);
    if (dumps.length === 0 && problems.length > 0) return dead(problems);
    const resolutions = await this.#resolve(dumps);
    const clients = followRemote(dumps, { as, now: this.now(), defaultAuthority, resolutions });
    return { address, clients, problems, isDead: false };
  }

  /** Resolves host names again, because CSDS does not show the addresses that a client got from DNS. */
  async #resolve(dumps: readonly ValidatedDump[]): Promise<Map<string, Resolution>> {
    const { dnsTimeoutMs, ports } = this.#source;
    const hosts = new Map(dumps.flatMap(hostsIn).map((one) => [joinHostPort(one.host, one.port), one]));
    const found = [...hosts].map(async ([key, { host, port }]): Promise<[string, Resolution]> => {
      let cancel: () => void = () => {};
      const timeout = new Promise<Resolution>((resolve) => {
        cancel = ports.clock.wakeAt(ports.clock.now() + dnsTimeoutMs, () =>
          resolve({ failure: `no response within ${formatMillis(dnsTimeoutMs)}` }),
        );
      });
      const forget = this.#onStop(cancel);
      const result = await Promise.race([ports.dns.resolve(host, port), timeout]);
      forget();
      cancel();
      return [key, result];
    });
    return new Map(await Promise.all(found));
  }
}

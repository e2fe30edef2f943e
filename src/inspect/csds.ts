import { formatMillis } from '../base/duration.js';
import type { Preset } from '../bootstrap/switches.js';
import type { Resolution } from '../core/input.js';
import type { CsdsClient, CsdsResponse } from '../csds/csds-client.js';
import { type CsdsCall, csdsFailure } from '../csds/csds-failure.js';
import { hostsIn } from '../csds/follow-dump.js';
import type { ValidatedDump } from '../csds/validate-dump.js';
import type { Clock, Dns } from '../engine/ports.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { EventFeed } from './event-feed.js';
import { type RemoteAnswer, remoteAnswer, validateStatus } from './remote-answer.js';
import { type Condition, never, type Waitable, type WaitEnding, type WaitOptions, waitOnClock } from './until.js';
import type { TargetVerdict } from './verdict/verdict.js';

/** Other processes, read over CSDS: gRPC applications and control planes. */
export interface CsdsSource extends CsdsCall {
  kind: 'csds';
  clients: ReadonlyMap<string, CsdsClient>;
  request: Uint8Array;
  /** undefined: the preset of each client's own implementation. */
  as: Preset | undefined;
  defaultAuthority: string | undefined;
  /** Time limit for resolving the host names of LOGICAL_DNS clusters. */
  dnsTimeoutMs: number;
  /** Poll interval; undefined: each process is read once. */
  pollEveryMs: number | undefined;
  ports: { clock: Clock; dns: Dns };
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
    const { as } = this.#source;
    const validated = validateStatus(answer.bytes, as);
    if (validated.clients.length === 0 && validated.problems.length > 0) return dead(validated.problems);
    const received = { bytes: answer.bytes, resolutions: await this.#resolve(validated.clients) };
    return remoteAnswer(address, received, { ...this.#source, now: this.now() }, validated);
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

import { formatMillis } from '../base/duration.js';
import type { Resolution } from '../core/input.js';
import type { CsdsClient, CsdsResponse } from '../csds/csds-client.js';
import type { CsdsCall } from '../csds/csds-failure.js';
import { hostsIn } from '../csds/follow-dump.js';
import type { ValidatedDump } from '../csds/validate-dump.js';
import type { Clock, Dns } from '../engine/ports.js';
import { joinHostPort } from '../resources/common/ip-address.js';
import { Slots } from './slots.js';
import { type Condition, never, type Waitable, type WaitEnding, type WaitOptions, waitOnClock } from './until.js';

/** Other processes that are read over CSDS, and how. */
export interface ProcessSource extends CsdsCall {
  clients: ReadonlyMap<string, CsdsClient>;
  request: Uint8Array;
  /** Time limit for resolving the host names of LOGICAL_DNS clusters. */
  dnsTimeoutMs: number;
  /** Poll interval; undefined: each process is read once. */
  pollEveryMs: number | undefined;
  ports: { clock: Clock; dns: Dns };
}

/** What is known about a process after its last response. */
export interface ProcessAnswer {
  address: string;
}

type AnswerListener<A> = (answer: A, before: A | undefined) => Promise<void> | void;

/** Reads all processes in parallel, so that a slow process does not delay the others. */
export abstract class ProcessPoller<A extends ProcessAnswer> implements Waitable {
  readonly #source: ProcessSource;
  readonly #slots: Slots;
  readonly #latest = new Map<string, A>();
  readonly #listeners: AnswerListener<A>[] = [];
  /** Cancel the running timers, which would keep the process alive. */
  readonly #stops = new Set<() => void>();
  #isClosed = false;

  constructor(source: ProcessSource) {
    this.#source = source;
    this.#slots = new Slots(source.ports.clock);
  }

  /** Turns a response into what is kept about the process. */
  protected abstract read(address: string, response: CsdsResponse): Promise<A>;

  get addresses(): string[] {
    return [...this.#source.clients.keys()];
  }

  now(): number {
    return this.#source.ports.clock.now();
  }

  /** Calls the listener with every response. The next poll of that process waits for the returned promise. */
  onAnswer(listener: AnswerListener<A>): void {
    this.#listeners.push(listener);
  }

  /** The last responses, in the order of the addresses. */
  answers(): A[] {
    return this.addresses.flatMap((address) => this.#latest.get(address) ?? []);
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
    const { pollEveryMs, ports } = this.#source;
    for (;;) {
      const requestedAt = ports.clock.now();
      const answer = await this.#request(address);
      if (this.#isClosed || answer === undefined) return;
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

  /** Undefined if the inspection was closed meanwhile. */
  async #request(address: string): Promise<A | undefined> {
    const { pollEveryMs, request, clients } = this.#source;
    const client = clients.get(address) as CsdsClient;
    const release = await this.#slots.take((stop) => this.#onStop(stop));
    if (this.#isClosed) return undefined;
    const response = await (pollEveryMs === undefined ? client.fetch(request) : client.poll(request));
    release();
    if (pollEveryMs === undefined) client.close();
    return this.#isClosed ? undefined : await this.read(address, response);
  }

  /** Resolves host names again, because CSDS does not show the addresses that a client got from DNS. */
  protected async resolveHosts(dumps: readonly ValidatedDump[]): Promise<Map<string, Resolution>> {
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

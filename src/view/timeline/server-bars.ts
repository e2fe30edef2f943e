import { getOrAdd } from '../../base/get-or-add.js';
import { statusName } from '../../base/status.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { PastServers } from '../../inspect/history/session-history.js';
import { type Bars, BarsBuilder } from './bars.js';

/** A server of an authority over time. */
export interface ServerBars extends Bars {
  authority: string;
  uri: string;
  /** 0 is the primary. */
  priority: number;
}

type Authority = ScopeSnapshot['authorities'][number];
type Server = Authority['servers'][number];

/** The servers of a client_scope over time: active, connected, or failed until the next retry. */
export function serverBars(past: readonly PastServers[], end: number): ServerBars[] {
  const all = new Map<string, AuthorityServers>();
  for (const { at, authorities } of past) {
    for (const authority of authorities ?? [])
      getOrAdd(all, authority.name, () => new AuthorityServers(authority.name)).show(authority, at);
    for (const [name, servers] of all) if (!authorities?.some((one) => one.name === name)) servers.leave(at);
  }
  return [...all.values()].flatMap((servers) => servers.finish(end));
}

class AuthorityServers {
  readonly #name: string;
  readonly #rows = new Map<number, { uri: string; bars: BarsBuilder }>();
  #active: Server | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  show({ servers }: Authority, at: number): void {
    const active = servers.find(({ isActive }) => isActive);
    for (const server of servers) this.#showServer(server, active, at);
    const before = this.#active;
    if (active === undefined) return;
    this.#active = active;
    if (before === undefined || before.priority === active.priority) return;
    const text = `from ${before.uri} to ${active.uri}`;
    for (const { priority } of [before, active]) this.#rows.get(priority)?.bars.mark(at, 'fallback', text);
  }

  /** The client needs nothing of this authority any more. */
  leave(at: number): void {
    for (const { bars } of this.#rows.values()) bars.gap(at);
    this.#active = undefined;
  }

  finish(end: number): ServerBars[] {
    return [...this.#rows].map(([priority, { uri, bars }]) => ({
      ...{ authority: this.#name, uri, priority },
      ...bars.finish(end),
    }));
  }

  #showServer({ uri, priority, failure, isActive, retryAt }: Server, active: Server | undefined, at: number): void {
    const { bars } = getOrAdd(this.#rows, priority, () => ({ uri, bars: new BarsBuilder() }));
    if (failure !== undefined) {
      bars.begin(at, 'failed', `${statusName(failure.code)}: ${failure.message}`);
      if (retryAt !== undefined) bars.mark(retryAt, 'retry', 'next retry');
    } else if (isActive) bars.begin(at, 'active', 'active');
    else if (active !== undefined && priority < active.priority) bars.begin(at, 'connected', 'not active');
    else bars.gap(at);
  }
}

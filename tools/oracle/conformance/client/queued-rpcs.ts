import type { Input } from '../../../../src/core/input.js';
import type { XdsConfig } from '../../../../src/deps/config.js';
import type { Engine } from '../../../../src/engine/engine.js';
import { findRoute } from '../../../../src/routing/match.js';
import type { Step } from './recording.js';

interface QueuedRpc {
  scope: string;
  target: string;
  cluster: string;
}

/** A queued RPC keeps its cluster referenced until a backend is reachable (A31). The `dead` backends never are. */
export class QueuedRpcs {
  readonly #alive: ReadonlySet<number>;
  #queued: QueuedRpc[] = [];

  constructor(backends: Record<string, number>) {
    const names = Object.entries(backends).filter(([name]) => !name.startsWith('dead'));
    this.#alive = new Set(names.map(([, port]) => port));
  }

  start(step: Step, engine: Engine | undefined, dispatch: (input: Input) => void): void {
    for (const { scope, channels } of engine?.snapshot() ?? []) {
      for (const { target, state } of channels) {
        if (target !== (step.channel ?? step.target) || state.kind !== 'published') continue;
        const call = { path: step.method ?? '/oracle.Echo/Echo', metadata: step.metadata ?? [] };
        const action = findRoute(state.config.virtualHost, call, () => 0)?.action;
        if (action?.kind !== 'route' || action.destination.kind !== 'cluster') continue;
        const queued = { scope, target, cluster: action.destination.name };
        this.#queued.push(queued);
        dispatch({ kind: 'hold', ...queued });
      }
    }
    this.check(engine, dispatch);
  }

  /** Releases clusters that have a reachable backend. */
  check(engine: Engine | undefined, dispatch: (input: Input) => void): void {
    for (const queued of [...this.#queued]) {
      const scope = engine?.snapshot().find(({ scope: name }) => name === queued.scope);
      const state = scope?.channels.find(({ target }) => target === queued.target)?.state;
      if (state?.kind !== 'published' || !this.#isReachable(state.config, queued.cluster)) continue;
      this.#queued = this.#queued.filter((one) => one !== queued);
      dispatch({ kind: 'release', ...queued });
    }
  }

  #isReachable(config: XdsConfig, name: string): boolean {
    const cluster = config.clusters.get(name);
    if (cluster?.kind === 'aggregate') return cluster.leaves.some((leaf) => this.#isReachable(config, leaf));
    if (cluster?.kind !== 'endpoints') return false;
    const localities = cluster.endpoints.endpoints?.priorities.flat() ?? [];
    return localities.some(({ endpoints }) =>
      endpoints.some(({ addresses }) => addresses.some(({ port }) => this.#alive.has(port))),
    );
  }
}

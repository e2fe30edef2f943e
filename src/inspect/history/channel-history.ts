import { getOrAdd } from '../../base/get-or-add.js';
import type { ConfigChange } from '../../deps/change-times.js';
import type { ClusterConfig } from '../../deps/config.js';
import type { HeldBack, Tear } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ChannelChange, NumberedTear } from './journal.js';
import { Versions } from './versions.js';

/** The clusters of a configuration, and those that were replaced later. */
interface Clusters {
  first: ReadonlyMap<string, ClusterConfig>;
  replaced: Map<string, Versions<ClusterConfig>>;
}

/** The state of a target without its tears. */
export type ChannelState = Omit<ChannelSnapshot, 'tears' | 'heldBack' | 'changes'>;

/** Bounds the lists of a target, as in the engine. */
const MAX_TEARS = 10_000;
const MAX_HELD_BACK = 10_000;
const MAX_CHANGES = 10_000;

interface PastTear {
  id: number;
  run: number;
  versions: Versions<Tear>;
}

interface PastChange {
  step: number;
  run: number;
  change: ConfigChange;
}

/** The states of a target over time. */
export class ChannelHistory {
  readonly #states = new Versions<{ run: number; followedIn: number; known: ChannelState } | undefined>();
  readonly #clusters = new Versions<Clusters>();
  readonly #tears = new Map<string, PastTear>();
  #heldBack: { step: number; run: number; heldBack: HeldBack }[] = [];
  #changes: PastChange[] = [];
  /** How often the target was followed again. Its tears start again. */
  #run = 0;

  apply({ tears, heldBack, changes, replaced, ...state }: ChannelChange, step: number): void {
    const run = this.#run;
    const followedIn = this.#states.last?.followedIn ?? step;
    this.#states.set(step, { run, followedIn, known: state });
    if (replaced === undefined) this.#clusters.set(step, { first: clustersIn(state), replaced: new Map() });
    const clusters = this.#clusters.last;
    for (const [name, cluster] of replaced ?? [])
      if (clusters !== undefined)
        getOrAdd(clusters.replaced, name, () => new Versions<ClusterConfig>()).set(step, cluster);
    for (const { id, tear } of tears)
      getOrAdd(this.#tears, `${run} ${id}`, () => ({ id, run, versions: new Versions<Tear>() })).versions.set(
        step,
        tear,
      );
    for (const one of heldBack) this.#heldBack.push({ step, run, heldBack: one });
    for (const change of changes) this.#changes.push({ step, run, change });
  }

  /** The target is no longer followed. */
  end(step: number): void {
    this.#states.set(step, undefined);
    this.#run++;
  }

  /** All states, the oldest first; undefined while the target was not followed. Their clusters may be out of date. */
  *states(): Iterable<[number, ChannelState | undefined]> {
    for (const [step, state] of this.#states.entries()) yield [step, state?.known];
  }

  /** The step in which the target was followed. */
  followedIn(step: number): number {
    return this.#states.at(step)?.followedIn ?? -1;
  }

  at(step: number): ChannelSnapshot | undefined {
    const found = this.#states.at(step);
    if (found === undefined) return undefined;
    const { run, known } = found;
    return {
      ...this.#withClusters(known, step),
      tears: [...this.#tears.values()].flatMap((tear) => (tear.run === run ? (tear.versions.at(step) ?? []) : [])),
      heldBack: this.#heldBack.flatMap((one) => (one.run === run && one.step <= step ? [one.heldBack] : [])),
      changes: this.#changesAt(step, run).map(({ change }) => change),
    };
  }

  /** The changes up to a step, each in its last state. */
  #changesAt(step: number, run: number): PastChange[] {
    const known = this.#changes.filter((one) => one.run === run && one.step <= step);
    return known.filter(({ change }, i) => known[i + 1]?.change.id !== change.id);
  }

  /** The state after a step as one change. */
  changeAt(step: number): ChannelChange | undefined {
    const channel = this.at(step);
    const run = this.#states.at(step)?.run;
    if (channel === undefined) return undefined;
    const tears = [...this.#tears.values()].flatMap((one): NumberedTear[] => {
      const tear = one.run === run ? one.versions.at(step) : undefined;
      return tear === undefined ? [] : [{ id: one.id, tear }];
    });
    return { ...channel, replaced: undefined, tears };
  }

  /** Forgets the states that were replaced before or in a step. Returns whether nothing is left. */
  forget(step: number): boolean {
    const clusters = this.#clusters.at(step);
    if (clusters !== undefined) {
      clusters.first = this.#clustersAt(step);
      for (const [name, versions] of clusters.replaced) {
        versions.forget(step);
        if (versions.stepAt(Number.POSITIVE_INFINITY) <= step) clusters.replaced.delete(name);
      }
    }
    this.#clusters.forget(step);
    this.#states.forget(step);
    const [run = this.#run] = [...this.#states.entries()].flatMap(([, state]) => state?.run ?? []);
    for (const [key, tear] of this.#tears) {
      if (tear.run < run) this.#tears.delete(key);
      else tear.versions.forget(step);
    }
    this.#dropOldest(step);
    this.#heldBack = this.#heldBack.filter((one) => one.run >= run).slice(-MAX_HELD_BACK);
    const later = this.#changes.filter((one) => one.run > run || (one.run === run && one.step > step));
    this.#changes = [...this.#changesAt(step, run), ...later].slice(-MAX_CHANGES);
    return this.#states.isEmpty;
  }

  /** Drops closed tears if there are too many. */
  #dropOldest(step: number): void {
    for (const [key, { versions }] of this.#tears) {
      if (this.#tears.size <= MAX_TEARS) return;
      if (versions.at(step)?.end !== undefined) this.#tears.delete(key);
    }
  }

  #withClusters(known: ChannelState, step: number): ChannelState {
    const { state } = known;
    if (state.kind !== 'published') return known;
    return { ...known, state: { ...state, config: { ...state.config, clusters: this.#clustersAt(step) } } };
  }

  #clustersAt(step: number): ReadonlyMap<string, ClusterConfig> {
    const clusters = this.#clusters.at(step);
    if (clusters === undefined) return new Map();
    const { first, replaced } = clusters;
    const changed = [...replaced].flatMap(([name, versions]) => {
      const cluster = versions.at(step);
      return cluster === undefined ? [] : [[name, cluster] as const];
    });
    if (changed.length === 0) return first;
    const all = new Map(first);
    for (const [name, cluster] of changed) all.set(name, cluster);
    return all;
  }
}

function clustersIn({ state }: ChannelState): ReadonlyMap<string, ClusterConfig> {
  return state.kind === 'published' ? state.config.clusters : new Map();
}

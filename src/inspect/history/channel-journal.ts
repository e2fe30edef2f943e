import type { ConfigChange } from '../../deps/change-times.js';
import type { ClusterConfig, ConfigState } from '../../deps/config.js';
import type { HeldBack, Tear } from '../../deps/tears/tear.js';
import type { SteppedChannel } from '../../engine/follower.js';
import type { ChannelChange, NumberedTear } from './journal.js';

/** Compares the state of a target with its state after the previous step. */
export class ChannelJournal {
  #last: SteppedChannel | undefined;
  readonly #ids = new WeakMap<Tear, number>();
  /** Tears that may still change, with their last state. The next configuration decides the outcome of a closed tear. */
  readonly #changing = new Map<Tear, Tear>();
  #tears = 0;
  #lastHeldBack: HeldBack | undefined;
  #lastChange: ConfigChange | undefined;
  /** RPCs used clusters after the previous step. */
  #wasHeld = false;

  changes(channel: SteppedChannel): ChannelChange | undefined {
    const last = this.#last;
    const tears = [...this.#changedTears(), ...this.#newTears(channel.tears)];
    const heldBack = this.#newHeldBack(channel.heldBack);
    const changes = this.#newChanges(channel.changes);
    if (last?.state !== channel.state && channel.state.kind === 'published')
      for (const tear of this.#changing.keys()) if (tear.end !== undefined) this.#changing.delete(tear);
    this.#last = channel;
    const isSame =
      last !== undefined &&
      last.state === channel.state &&
      last.since === channel.since &&
      last.isWithheld === channel.isWithheld &&
      !this.#wasHeld &&
      channel.held.size === 0;
    this.#wasHeld = channel.held.size > 0;
    if (isSame && tears.length === 0 && heldBack.length === 0 && changes.length === 0) return undefined;
    const { target, listener, authority, since, isWithheld } = channel;
    const held = new Map(channel.held);
    return {
      target,
      listener,
      authority,
      ...changedState(channel, last?.state),
      since,
      isWithheld,
      held,
      tears,
      heldBack,
      changes,
    };
  }

  #changedTears(): NumberedTear[] {
    const changed: NumberedTear[] = [];
    for (const [tear, before] of this.#changing) {
      if (tear.end === before.end && tear.instead === before.instead && tear.resources === before.resources) continue;
      changed.push(this.#numbered(tear));
    }
    return changed;
  }

  #newTears(tears: readonly Tear[]): NumberedTear[] {
    const added: Tear[] = [];
    for (let i = tears.length - 1; i >= 0; i--) {
      const tear = tears[i] as Tear;
      if (this.#ids.has(tear)) break;
      added.push(tear);
    }
    return added.reverse().map((tear) => this.#numbered(tear));
  }

  #numbered(tear: Tear): NumberedTear {
    const id = this.#ids.get(tear) ?? ++this.#tears;
    this.#ids.set(tear, id);
    const copy = { ...tear };
    this.#changing.set(tear, copy);
    return { id, tear: copy };
  }

  #newHeldBack(heldBack: readonly HeldBack[]): HeldBack[] {
    const last = heldBack.at(-1);
    if (last === this.#lastHeldBack) return [];
    const from = this.#lastHeldBack === undefined ? 0 : heldBack.lastIndexOf(this.#lastHeldBack) + 1;
    this.#lastHeldBack = last;
    return heldBack.slice(from);
  }

  /** Returns copies: the last change may go on. */
  #newChanges(changes: readonly ConfigChange[]): ConfigChange[] {
    const last = this.#lastChange;
    const from = changes.findLastIndex(({ id }) => last !== undefined && id < last.id) + 1;
    const isKnown = ({ id, end, isOver }: ConfigChange): boolean =>
      id === last?.id && end === last.end && isOver === last.isOver;
    const added = changes.slice(from).filter((change) => !isKnown(change));
    const copies = added.map((change) => ({ ...change }));
    this.#lastChange = copies.at(-1) ?? last;
    return copies;
  }
}

const NO_CLUSTERS: ReadonlyMap<string, ClusterConfig> = new Map();

/**
 * The dependency manager changes the map of clusters that it has published, so that one changed endpoint among thousands
 * of clusters costs little. So this copies the map if it is another one, and otherwise the changed clusters.
 */
function changedState(
  { state, replaced }: SteppedChannel,
  before: ConfigState | undefined,
): Pick<ChannelChange, 'state' | 'replaced'> {
  if (state.kind !== 'published') return { state, replaced: undefined };
  const { config } = state;
  if (before?.kind !== 'published' || before.config.clusters !== config.clusters)
    return { state: { ...state, config: { ...config, clusters: new Map(config.clusters) } }, replaced: undefined };
  return {
    state: { ...state, config: { ...config, clusters: NO_CLUSTERS } },
    replaced: replaced.map((name) => [name, config.clusters.get(name) as ClusterConfig]),
  };
}

import type { SessionHistory } from '../../inspect/history/session-history.js';

/** The length of the messages whose steps a page keeps. In memory, they need several times as much. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Messages are counted in groups of this length. */
const GROUP_LENGTH = MAX_LENGTH / 64;

/** Bounds the memory of a live page: it forgets the oldest part of the session. */
export class KeptPart {
  readonly #history: SessionHistory;
  readonly #groups: { length: number; until: number }[] = [];
  #length = 0;

  constructor(history: SessionHistory) {
    this.#history = history;
  }

  /** A message was received, with steps until this time. */
  add(length: number, until: number | undefined): void {
    if (until === undefined) return;
    const last = this.#groups.at(-1);
    if (last === undefined || last.length >= GROUP_LENGTH) this.#groups.push({ length, until });
    else Object.assign(last, { length: last.length + length, until });
    this.#length += length;
    if (this.#length <= MAX_LENGTH) return;
    let forgotten: number | undefined;
    // A quarter at a time, because forgetting takes as long as the state is large. The newest group stays.
    while (this.#length > 0.75 * MAX_LENGTH && this.#groups.length > 1) {
      const oldest = this.#groups.shift();
      this.#length -= oldest?.length ?? 0;
      forgotten = oldest?.until;
    }
    if (forgotten !== undefined) this.#history.forget(forgotten);
  }
}

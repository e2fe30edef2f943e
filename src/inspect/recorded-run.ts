import type { Input } from '../core/input.js';
import type { Replaying } from '../engine/replay.js';
import { feedRecording } from './feed-recording.js';
import type { RecordingSource } from './source.js';
import type { Condition, WaitEnding } from './until.js';

/** A recording that is played once; its time is that of the session. */
export class RecordedRun {
  readonly #source: RecordingSource;
  readonly #replaying: Replaying;
  #now: number;
  #isOver = false;

  constructor(source: RecordingSource, replaying: Replaying) {
    this.#source = source;
    this.#replaying = replaying;
    this.#now = source.header.start;
  }

  get now(): number {
    return this.#now;
  }

  /** Plays all of it, whenever the condition holds: the end counts. The condition sees every moment in which nothing changes. */
  async until(condition: Condition): Promise<WaitEnding> {
    if (!this.#isOver) await this.#play(condition);
    this.#isOver = true;
    return condition(this.#now).isMet ? 'met' : 'timed out';
  }

  async #play(condition: Condition): Promise<void> {
    let hasBegun = false;
    const goOnTo = (at: number): void => {
      if (at === this.#now) return;
      if (hasBegun) condition(this.#now);
      this.#now = at;
      if (hasBegun) condition(at);
    };
    const { remark } = await feedRecording(this.#source, {
      input: (input: Input, at: number) => {
        goOnTo(at);
        hasBegun = true;
        this.#replaying.input(input, at);
      },
      end: (at) => {
        goOnTo(at);
        this.#replaying.end(at);
      },
    });
    if (remark !== undefined) this.#source.onRemark(remark);
  }
}

import type { Input } from '../core/input.js';
import type { Replaying } from '../engine/replay.js';
import { feedRecording } from './feed-recording.js';
import type { RecordingSource } from './source.js';
import type { Condition, WaitEnding } from './until.js';

/** Replays a recording once. Its clock is the time of the recorded session. */
export class RecordedRun {
  readonly #source: RecordingSource;
  readonly #replaying: Replaying;
  #now: number;
  #isReplayed = false;

  constructor(source: RecordingSource, replaying: Replaying) {
    this.#source = source;
    this.#replaying = replaying;
    this.#now = source.header.start;
  }

  get now(): number {
    return this.#now;
  }

  /** Replays the whole recording, then evaluates the condition at its end. Evaluates it at every moment in between, too. */
  async until(condition: Condition): Promise<WaitEnding> {
    if (!this.#isReplayed) await this.#replay(condition);
    this.#isReplayed = true;
    return condition(this.#now).isMet ? 'met' : 'timed out';
  }

  async #replay(condition: Condition): Promise<void> {
    let hasStarted = false;
    const advanceTo = (at: number): void => {
      if (at === this.#now) return;
      if (hasStarted) condition(this.#now);
      this.#now = at;
      if (hasStarted) condition(at);
    };
    const { remark } = await feedRecording(this.#source, {
      input: (input: Input, at: number) => {
        advanceTo(at);
        hasStarted = true;
        this.#replaying.input(input, at);
      },
      end: (at) => {
        advanceTo(at);
        this.#replaying.end(at);
      },
    });
    if (remark !== undefined) this.#source.onRemark(remark);
  }
}

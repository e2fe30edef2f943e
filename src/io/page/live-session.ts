import type { RecordingHeader } from '../../engine/recording/header.js';
import type { JournalStep } from '../../inspect/history/journal.js';
import { StepWindow } from '../../inspect/history/step-window.js';
import type { Recorder } from '../../inspect/source.js';
import { type ContentFormat, LiveContents } from './live-contents.js';
import { LiveJournal } from './live-journal.js';
import type { LiveRecording } from './live-recording.js';

export interface SessionOptions {
  /** The header of a recording of the session. */
  header: RecordingHeader;
  suppress: ReadonlySet<string>;
  format: ContentFormat;
  /** Called after each step. */
  onStep(): void;
  /** The estimated size of the steps that are kept. */
  maxBytes?: number;
}

/** What live pages show: the last steps of a session, the state before them, and the contents of their resources. */
export class LiveSession {
  readonly window: StepWindow;
  readonly contents: LiveContents;
  readonly recording: LiveRecording;
  readonly showsSecrets: boolean;
  readonly #journal: LiveJournal;
  readonly #onStep: () => void;

  static async start(options: SessionOptions): Promise<LiveSession> {
    const { header, suppress } = options;
    const journal = await LiveJournal.start({ header, suppress, onStep: (step) => session.#add(step) });
    const session: LiveSession = new LiveSession(journal, options);
    return session;
  }

  private constructor(journal: LiveJournal, { header, format, onStep, maxBytes }: SessionOptions) {
    this.window = new StepWindow(journal.client, maxBytes);
    this.contents = new LiveContents(format, journal.client.context);
    this.recording = journal.recording;
    this.showsSecrets = header.secrets === 'kept';
    this.#journal = journal;
    this.#onStep = onStep;
  }

  /** Receives the inputs of the session. */
  get recorder(): Recorder {
    return this.#journal;
  }

  /** The time up to which the steps are complete. */
  now(now: number): number {
    return this.#journal.now(now);
  }

  #add(step: JournalStep): void {
    for (const { entries } of step.scopes) for (const entry of entries) this.contents.add(entry);
    if (this.window.add(step)) this.contents.keepOnly(this.window.entries());
    this.#onStep();
  }
}

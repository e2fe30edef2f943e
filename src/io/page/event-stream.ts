import type { ServerResponse } from 'node:http';
import { redactText } from '../../base/secret-name.js';
import type { Clock } from '../../engine/ports.js';
import { type JournalStep, splitStep } from '../../inspect/history/journal.js';
import { JournalEncoder } from '../../inspect/history/journal-codec.js';
import type { LiveMessages } from '../../inspect/history/live-messages.js';
import { asBuffer } from '../byte-codec.js';
import type { LiveSession } from './live-session.js';

/** The estimated size of the steps in a message, and the number of resources in a part of a large one. */
const MESSAGE_BYTES = 1024 * 1024;
const MAX_ENTRIES = 500;

/** How long a stream encodes steps before other work gets a turn: the client must respond to its servers. */
const TURN_MS = 10;

/** How soon a browser connects again, in milliseconds. */
const RETRY_MS = 1000;

/**
 * The events for one page. It has no queue: it reads the steps that the session keeps when the page can take more. If
 * these do not go back far enough, because the page reads slowly, the page starts again from the oldest kept state.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #session: LiveSession;
  readonly #clock: Pick<Clock, 'now'>;
  #encoder: JournalEncoder;
  /** The number of the step to send next. */
  #next = -1;
  /** What is left of the last steps. */
  #parts: JournalStep[][] = [];
  #isReady = false;
  #isWaiting = false;
  #turn: NodeJS.Immediate | undefined;

  constructor(response: ServerResponse, session: LiveSession, clock: Pick<Clock, 'now'>) {
    this.#response = response;
    this.#session = session;
    this.#clock = clock;
    this.#encoder = this.#newEncoder();
    response.on('drain', () => {
      this.#isWaiting = false;
      this.flush();
    });
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Sends new steps, as many as the page can take. */
  flush(): void {
    if (this.#turn !== undefined) return;
    const end = performance.now() + TURN_MS;
    while (this.#canWrite && this.#sendNext()) {
      if (performance.now() < end) continue;
      this.#turn = setImmediate(() => {
        this.#turn = undefined;
        this.flush();
      });
      return;
    }
  }

  /** Sends one message. Returns false if there is nothing to send. */
  #sendNext(): boolean {
    const { window } = this.#session;
    if (this.#parts.length === 0 && this.#next < window.first) this.#reset();
    if (this.#parts.length === 0) this.#takeSteps();
    const steps = this.#parts.shift();
    if (steps !== undefined) this.#send('steps', this.#encoder.steps(steps, !this.#isReady));
    else if (this.#isReady) return false;
    else {
      this.#isReady = true;
      this.#send('ready');
    }
    return true;
  }

  #takeSteps(): void {
    const steps = this.#session.window.steps(this.#next, MESSAGE_BYTES);
    this.#next += steps.length;
    const [first] = steps;
    // A step that is larger than a message comes alone.
    if (steps.length === 1 && first !== undefined) this.#parts = partsOf(first);
    else if (steps.length > 0) this.#parts = [steps];
  }

  /** Tells the page that the connection works and which time it is, unless it cannot take more. */
  beat(): void {
    this.flush();
    // Steps that are still to come happened before now.
    if (this.#canWrite && this.#turn === undefined) this.#send('time');
  }

  /** Sends the rest and ends. */
  end(reason: string): void {
    clearImmediate(this.#turn);
    while (this.#canWrite && this.#sendNext());
    this.#send('bye', `"reason":${JSON.stringify(reason)}`);
    this.#response.end();
  }

  get #canWrite(): boolean {
    return !this.#isWaiting && !this.#response.writableEnded && !this.#response.destroyed;
  }

  #reset(): void {
    const { window } = this.#session;
    this.#encoder = this.#newEncoder();
    this.#isReady = false;
    this.#send('reset', `"client":${this.#encoder.client(window.client)}`);
    const checkpoint = window.checkpoint();
    this.#parts = checkpoint === undefined ? [] : partsOf(checkpoint);
    this.#next = window.first;
  }

  #newEncoder(): JournalEncoder {
    return new JournalEncoder({ base64: (bytes) => asBuffer(bytes).toString('base64') });
  }

  /** `fields`: JSON without braces. JSON has no line breaks, so the data is one line. */
  #send(name: keyof LiveMessages, fields?: string): void {
    const more = fields === undefined ? '' : `,${fields}`;
    this.#write(`event: ${name}\ndata: {"now":${this.#session.now(this.#clock.now())}${more}}\n\n`);
  }

  #write(text: string): void {
    // Redacted as everything that the tool prints, in addition to what is removed from resources.
    const shown = this.#session.showsSecrets ? text : redactText(text);
    if (!this.#response.write(shown)) this.#isWaiting = true;
  }
}

function partsOf(step: JournalStep): JournalStep[][] {
  return splitStep(step, MAX_ENTRIES).map((part) => [part]);
}

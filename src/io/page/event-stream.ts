import type { ServerResponse } from 'node:http';
import { redactText } from '../../base/secret-name.js';
import type { Clock } from '../../engine/ports.js';
import { JournalEncoder } from '../../inspect/history/journal-codec.js';
import type { LiveMessages } from '../../inspect/history/live-messages.js';
import { asBuffer } from '../byte-codec.js';
import type { LiveSession } from './live-session.js';

/** The estimated size of the steps in a message. */
const MESSAGE_BYTES = 1024 * 1024;

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
  #isReady = false;
  #isWaiting = false;

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
    const { window } = this.#session;
    if (this.#canWrite && this.#next < window.first) this.#reset();
    while (this.#canWrite && this.#next < window.next) {
      const steps = window.steps(this.#next, MESSAGE_BYTES);
      this.#send('steps', this.#encoder.steps(steps));
      this.#next += steps.length;
    }
    if (!this.#canWrite || this.#isReady || this.#next < window.next) return;
    this.#isReady = true;
    this.#send('ready');
  }

  /** Tells the page that the connection works and which time it is, unless it cannot take more. */
  beat(): void {
    this.flush();
    if (this.#canWrite) this.#send('time');
  }

  /** Sends the rest and ends. */
  end(reason: string): void {
    this.flush();
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
    if (checkpoint !== undefined) this.#send('steps', this.#encoder.steps([checkpoint]));
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

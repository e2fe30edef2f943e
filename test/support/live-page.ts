import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { JournalDecoder } from '../../src/inspect/history/journal-codec.js';
import type { LiveMessages } from '../../src/inspect/history/live-messages.js';
import { SessionHistory } from '../../src/inspect/history/session-history.js';
import { later } from './clean-up.js';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A request of a program that can send any header, unlike a browser. */
export function ask(link: string, method = 'GET', headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(link, { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

/** Follows a live session as the page does. */
export class LiveReader {
  history: SessionHistory | undefined;
  /** The names of the events, without steps and time. */
  readonly events: string[] = [];
  isReady = false;
  isClosed = false;
  bye: LiveMessages['bye'] | undefined;
  /** Everything that was received. */
  text = '';
  #decoder = new JournalDecoder();
  #rest = '';
  readonly #request: ReturnType<typeof httpRequest>;

  constructor(link: string) {
    this.#request = httpRequest(`${link}events`, { agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (part: string) => this.#take(part));
      response.on('error', () => {});
    });
    this.#request.on('error', () => {});
    this.#request.on('close', () => {
      this.isClosed = true;
    });
    this.#request.end();
    later(() => this.cut());
  }

  /** Cuts the connection. */
  cut(): void {
    this.#request.destroy();
  }

  #take(part: string): void {
    this.text += part;
    const blocks = (this.#rest + part).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (name !== undefined) this.#handle(name as keyof LiveMessages, JSON.parse(data as string));
    }
  }

  #handle(name: keyof LiveMessages, message: LiveMessages[keyof LiveMessages]): void {
    if (name !== 'steps' && name !== 'time') this.events.push(name);
    if (name === 'reset') {
      this.#decoder = new JournalDecoder();
      this.history = new SessionHistory(this.#decoder.client((message as LiveMessages['reset']).client));
      this.isReady = false;
    } else if (name === 'steps')
      for (const step of this.#decoder.steps(message as LiveMessages['steps'])) this.history?.apply(step);
    else if (name === 'ready') this.isReady = true;
    else if (name === 'bye') this.bye = message as LiveMessages['bye'];
    if (name !== 'steps' && name !== 'reset') this.history?.advance(message.now);
  }
}

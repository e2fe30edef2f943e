import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_KEYS } from '../../inspect/history/live-messages.js';
import type { LiveSession } from './live-session.js';

/** The page and the session that a server shows. */
export interface Served {
  session: LiveSession;
  html: Buffer;
  /** The Content-Security-Policy of the page. */
  policy: string;
}

type Request = Pick<IncomingMessage, 'method'>;

export function sendPage(request: Request, response: ServerResponse, { html, policy }: Served): void {
  response.setHeader('Content-Security-Policy', `${policy}; frame-ancestors 'none'`);
  send(request, response, 200, 'text/html', html);
}

/** The contents of the resources with these keys, as far as they are kept. */
export function sendContents(
  request: Request,
  response: ServerResponse,
  { session }: Served,
  query: URLSearchParams,
): void {
  const keys = query.getAll('key').slice(0, MAX_KEYS);
  const found = keys.flatMap((key) => session.contents.print(key) ?? []);
  if (found.length > 0) send(request, response, 200, 'application/json', Buffer.from(`[${found.join(',')}]`));
  else say(request, response, 404, 'This version is too old: xds-inspect does not keep it any more.');
}

/** The recording of the session up to now, at the speed of its reader. */
export function sendRecording(request: Request, response: ServerResponse, { session }: Served, now: number): void {
  const { recording } = session;
  if (!recording.isComplete) {
    const sentence = 'The session is too long for what-if runs. Record it with --record, and replay the recording.';
    say(request, response, 404, sentence);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  const parts = (request.method === 'HEAD' ? [] : recording.parts(now))[Symbol.iterator]();
  const more = (): void => {
    let part = parts.next();
    while (part.done !== true && response.write(part.value)) part = parts.next();
    if (part.done === true) response.end();
    else response.once('drain', more);
  };
  more();
}

/** Says no more than the status: the request may come from anywhere. */
export function refuse(response: ServerResponse, status: number): void {
  if (status === 405) response.setHeader('Allow', 'GET, HEAD');
  response.writeHead(status, { 'Content-Length': 0, Connection: 'close' });
  response.end();
}

function say(request: Request, response: ServerResponse, status: number, sentence: string): void {
  send(request, response, status, 'text/plain', Buffer.from(sentence));
}

function send({ method }: Request, response: ServerResponse, status: number, type: string, body: Buffer): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
}

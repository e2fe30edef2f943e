import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { certificateHint } from '../base/certificate-hint.js';
import { connectionHint } from '../base/connection-hint.js';
import { MAX_RESOURCES_BYTES, MAX_SETTINGS_BYTES, readRegularFile, readStream } from './input-file.js';
import { UnsuitableFile } from './unsuitable-file.js';

export interface FetchOptions {
  timeoutMs: number;
  /** Ends the request. */
  signal: AbortSignal;
  /** Do not verify the certificate of the server. */
  insecure: boolean;
  cacert: string | undefined;
  cert: string | undefined;
  key: string | undefined;
}

/** The body of a response, or one sentence on why there is none. */
export type FetchedUrl = { bytes: Uint8Array } | { failure: string };

/** Fetches a document of at most 128 MiB over HTTP. Redirects are not followed: another host would get the request. */
export async function fetchUrl(text: string, options: FetchOptions): Promise<FetchedUrl> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs);
  try {
    const signal = AbortSignal.any([options.signal, timeout.signal]);
    const response = await send(new URL(text), signal, options);
    const problem = statusProblem(response);
    if (problem === undefined) return { bytes: await readStream(response, MAX_RESOURCES_BYTES) };
    response.destroy();
    return { failure: problem };
  } catch (error) {
    if (timeout.signal.aborted) return { failure: `no complete response within ${options.timeoutMs} ms` };
    return { failure: failureText(error as NodeJS.ErrnoException) };
  } finally {
    clearTimeout(timer);
  }
}

function send(url: URL, signal: AbortSignal, { insecure, cacert, cert, key }: FetchOptions): Promise<IncomingMessage> {
  const read = (path: string | undefined): Buffer | undefined =>
    path === undefined ? undefined : readRegularFile(path, MAX_SETTINGS_BYTES);
  const tls = { ca: read(cacert), cert: read(cert), key: read(key), rejectUnauthorized: !insecure };
  return new Promise((resolve, reject) => {
    // The connection is not kept for another request, which would keep the process alive.
    const settings = { signal, agent: false, headers: { accept: 'application/json', connection: 'close' } } as const;
    const sent: ClientRequest =
      url.protocol === 'https:'
        ? requestHttps(url, { ...settings, ...tls }, resolve)
        : requestHttp(url, settings, resolve);
    sent.on('error', reject).end();
  });
}

function statusProblem({ statusCode = 0, statusMessage = '', headers }: IncomingMessage): string | undefined {
  if (statusCode === 200) return undefined;
  const status = `HTTP status ${statusCode} ${statusMessage}`.trim();
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined)
    return `it redirects to ${headers.location} (${status}): use that URL`;
  if (statusCode === 404)
    return `the server does not have this page (${status}): the admin interface of Envoy has /config_dump`;
  if (statusCode === 401 || statusCode === 403) return `it refuses the request (${status})`;
  return status;
}

function failureText(error: NodeJS.ErrnoException): string {
  if (error instanceof UnsuitableFile) return 'the response has more than 128 MiB, the limit for resources';
  // A connection to several addresses fails with a list of errors, and without a message.
  const message = error.message || error.code || String(error);
  if (/EPROTO|wrong version number|packet length/i.test(message))
    return `it does not speak TLS on this port: use http:// (${message.trim()})`;
  if (/Parse Error|socket hang up|ECONNRESET/i.test(message))
    return `it does not speak HTTP/1.1 on this port (${message})`;
  const hint = certificateHint(message) ?? connectionHint(message);
  return hint === undefined ? message : `${hint} (${message})`;
}

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { gzipSync } from 'node:zlib';
import { readSettingsFile } from './otlp-files.js';
import type { OtlpSettings } from './otlp-settings.js';

/** Sends one message to a collector and returns its response. Rejects with a reason for people. */
export type Send = (message: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

const TYPES = { 'http/protobuf': 'application/x-protobuf', 'http/json': 'application/json' } as const;

/** A response is at most a sentence about rejected metrics. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Sends messages with HTTP POST. A failed one is not repeated: the next export contains newer values of all metrics. */
export function httpSender(settings: OtlpSettings & { protocol: keyof typeof TYPES }, version: string): Send {
  const { url, protocol, isCompressed, tls } = settings;
  const isSecure = url.protocol === 'https:';
  const files = isSecure
    ? { ca: readSettingsFile(tls.ca), cert: readSettingsFile(tls.cert), key: readSettingsFile(tls.key) }
    : {};
  const headers = {
    'User-Agent': `xds-inspect/${version}`,
    ...settings.headers,
    'Content-Type': TYPES[protocol],
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  };
  return (message, signal) =>
    new Promise((resolve, reject) => {
      const body = isCompressed ? gzipSync(message) : message;
      const options = { method: 'POST', headers: { ...headers, 'Content-Length': body.length }, signal, ...files };
      const request = (isSecure ? requestHttps : requestHttp)(url, options, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size <= MAX_RESPONSE_BYTES) parts.push(part);
          else response.destroy(new Error('the response is too large'));
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300) resolve(Buffer.concat(parts));
          else reject(new Error(`HTTP ${statusCode}`));
        });
      });
      request.on('error', reject);
      request.end(body);
    });
}

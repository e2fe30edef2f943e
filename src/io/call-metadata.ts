import type { Metadata } from '@grpc/grpc-js';
import { REDACTED } from '../base/secret-name.js';
import type { Dial } from '../bootstrap/dial.js';
import type { XdsHeader } from '../bootstrap/xds-headers.js';

/** Shorter values occur in messages by chance. */
const MIN_SECRET = 6;

/** The metadata that flags add to calls. Servers may repeat their values in messages, which are recorded and printed. */
export class CallMetadata {
  readonly #headers: readonly XdsHeader[];
  readonly #secrets = new Set<string>();
  readonly #showSecrets: boolean;

  constructor({ headers = [], showSecrets = false }: Dial = {}) {
    this.#headers = headers;
    this.#showSecrets = showSecrets;
    for (const [, value] of headers) this.addSecret(value);
  }

  /** Adds a value, or the last word of it: `Bearer` is no secret. */
  addSecret(value: string): void {
    const word = value.slice(value.lastIndexOf(' ') + 1);
    if (word.length >= MIN_SECRET) this.#secrets.add(word);
  }

  addTo(metadata: Metadata): Metadata {
    for (const [name, value] of this.#headers)
      metadata.add(name, name.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
    return metadata;
  }

  /** A message without the values of the metadata. */
  redact(message: string): string {
    if (this.#showSecrets) return message;
    let text = message;
    for (const secret of this.#secrets) text = text.replaceAll(secret, () => REDACTED);
    return text;
  }
}

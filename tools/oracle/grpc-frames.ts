const HEAD_BYTES = 5;

/** A gRPC message frame: not compressed, with the length prefix. */
export function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Splits the bytes of a stream into messages. */
export class FrameReader {
  readonly #onMessage: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(onMessage: (message: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (let message = this.#next(); message !== undefined; message = this.#next()) this.#onMessage(message);
  }

  #next(): Buffer | undefined {
    if (this.#length < HEAD_BYTES) return undefined;
    const [first] = this.#chunks;
    const head = first !== undefined && first.length >= HEAD_BYTES ? first : this.#joined();
    const end = HEAD_BYTES + head.readUInt32BE(1);
    if (this.#length < end) return undefined;
    const all = this.#joined();
    this.#chunks = [all.subarray(end)];
    this.#length -= end;
    return all.subarray(HEAD_BYTES, end);
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

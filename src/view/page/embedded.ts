import { fromBase64 } from '../../base/base64.js';
import type { OnLine, RecordingFile } from '../../inspect/source.js';
import { blobId, DATA_ID, type PageData } from '../page-data.js';

/** The data that the tool embedded in this page. */
export function pageData(): PageData {
  return JSON.parse(textOf(DATA_ID)) as PageData;
}

export async function blobText(number: number): Promise<string> {
  return await new Response(blobStream(number)).text();
}

export async function blobBytes(number: number): Promise<Uint8Array> {
  return new Uint8Array(await new Response(blobStream(number)).arrayBuffer());
}

/** Called after each part of a recording, with the share that was read. Reading continues when it returns. */
export type OnPart = (share: number) => Promise<void>;

/** An embedded recording, for the code that reads recordings from disk. */
export function embeddedRecording(number: number, path: string, onPart: OnPart): RecordingFile {
  return { path, decodeBase64, readLines: (onLine) => readLines(number, onLine, onPart) };
}

async function readLines(number: number, onLine: OnLine, onPart: OnPart): ReturnType<RecordingFile['readLines']> {
  let share = 0;
  const stream = blobStream(number, (read) => {
    share = read;
  });
  return await readLinesOf(stream, onLine, () => onPart(share));
}

/** Passes the lines of a text to `onLine` until it returns false. `onPart` is called after each part. */
export async function readLinesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: OnLine,
  onPart: () => Promise<void>,
): ReturnType<RecordingFile['readLines']> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  // A line may have many megabytes: searching it again with each chunk would take too long.
  let rest: string[] = [];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    await onPart();
    const [first = '', ...others] = value.split('\n');
    rest.push(first);
    for (const start of others) {
      const next = onLine(rest.join(''), ++count);
      rest = [start];
      if (typeof next === 'function' ? next() : next) continue;
      void reader.cancel();
      return { kind: 'whole' };
    }
  }
  return rest.join('') === '' ? { kind: 'whole' } : { kind: 'cut', what: `it ends inside line ${count + 1}` };
}

function blobStream(number: number, onRead?: (share: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = decodeBase64(textOf(blobId(number))) ?? new Uint8Array();
  let read = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (part, controller) => {
      read += part.length;
      onRead?.(read / bytes.length);
      controller.enqueue(part);
    },
  });
  return new Blob([bytes]).stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip'));
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}

/** Browsers have a decoder since 2025 that is many times faster than code in JavaScript. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native === undefined) return fromBase64(text) as Uint8Array<ArrayBuffer> | undefined;
  try {
    return native.call(Uint8Array, text);
  } catch {
    return undefined;
  }
}

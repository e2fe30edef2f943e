import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { RecordingHeader } from '../../src/engine/recording/header.js';
import type { PageContent, PageData } from '../../src/view/page-data.js';

interface Element {
  attributes: string;
  text: string;
}

/** A report page, taken apart as a browser does it: an element ends at the first end tag. */
export class ReadPage {
  readonly html: string;
  readonly data: PageData;
  readonly #blocks: Element[];

  constructor(html: string) {
    this.html = html;
    this.#blocks = elements(html, 'script');
    this.data = JSON.parse(this.#block('data')) as PageData;
  }

  /** The code that a browser runs: the loader, and the scripts that it unpacks. */
  get scripts(): string[] {
    const plain = this.#blocks.filter(({ attributes }) => !attributes.includes('type='));
    const packed = this.#blocks.filter(({ attributes }) => attributes.includes('application/gzip'));
    return [
      ...plain.map(({ text }) => text),
      ...packed.map(({ text }) => gunzipSync(Buffer.from(text, 'base64')).toString()),
    ];
  }

  get styles(): string[] {
    return elements(this.html, 'style').map(({ text }) => text);
  }

  get policy(): string {
    return /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(this.html)?.[1] ?? '';
  }

  /** The page without its code and styles. */
  get markup(): string {
    return this.html.replace(/(<(script|style)[^>]*>)[\s\S]*?<\/\2>/g, '$1');
  }

  get blobCount(): number {
    return this.#blocks.filter(({ attributes }) => attributes.includes('id="blob-')).length;
  }

  blob(number: number): Buffer {
    return gunzipSync(Buffer.from(this.#block(`blob-${number}`), 'base64'));
  }

  recording(client = 0): { header: RecordingHeader; lines: string[] } {
    const lines = this.blob(this.data.clients[client]?.recording ?? -1)
      .toString()
      .trimEnd()
      .split('\n');
    return { header: JSON.parse(lines[0] ?? '') as RecordingHeader, lines };
  }

  contents(client = 0): PageContent[] {
    const number = this.data.dump?.contents ?? this.data.clients[client]?.contents ?? -1;
    return JSON.parse(this.blob(number).toString()) as PageContent[];
  }

  /** Everything in the page as text: data, unpacked blobs, and the messages in them. */
  get everything(): string {
    const blobs = [...Array(this.blobCount).keys()].map((i) => this.blob(i).toString('latin1'));
    const messages = blobs.flatMap((text) => [...text.matchAll(/"([A-Za-z0-9+/=]{16,})"/g)].map(([, one]) => one));
    const bytes = messages.map((one) => Buffer.from(one ?? '', 'base64').toString('latin1'));
    return [this.markup, this.#block('data'), ...blobs, ...bytes].join('\n');
  }

  #block(id: string): string {
    return this.#blocks.find(({ attributes }) => attributes.includes(` id="${id}"`))?.text ?? '';
  }
}

function elements(html: string, name: string): Element[] {
  const all = [...html.matchAll(new RegExp(String.raw`<${name}([^>]*)>([\s\S]*?)</${name}`, 'gi'))];
  return all.map(([, attributes = '', text = '']) => ({ attributes, text }));
}

/** The source expression of the Content-Security-Policy for a script or style. */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

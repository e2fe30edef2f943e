import type { RecordedVersion } from '../../inspect/recorded-versions.js';
import { PackedText } from '../../io/page/packed-text.js';
import { type ContentOptions, PageContents } from '../../view/page-contents.js';

/** The large parts of a page, compressed. Their numbers are their positions. */
export class PageBlobs {
  readonly all: (readonly Buffer[])[] = [];
  /** Whether a resource contains a regular expression. */
  hasRegex = false;

  add(packed: readonly Buffer[]): number {
    return this.all.push(packed) - 1;
  }

  async addBytes(bytes: Uint8Array): Promise<number> {
    const packing = new PackedText();
    packing.write(bytes);
    packing.end();
    return this.add(await packing.packed());
  }

  /** Adds the printed contents of the versions that `each` passes on. */
  async addContents(
    options: ContentOptions,
    each: (onVersion: (version: RecordedVersion) => void) => Promise<void> | void,
  ): Promise<number> {
    const contents = new PageContents(options);
    const packing = new PackedText();
    let isFirst = true;
    packing.write('[');
    await each((version) => {
      const content = contents.add(version);
      if (content === undefined) return;
      packing.write(`${isFirst ? '' : ',\n'}${JSON.stringify(content)}`);
      isFirst = false;
    });
    packing.write(']');
    packing.end();
    this.hasRegex ||= contents.hasRegex;
    return this.add(await packing.packed());
  }
}

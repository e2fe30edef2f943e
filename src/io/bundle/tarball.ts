import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';

/** A file in an archive. */
export interface Member {
  name: string;
  /** Read twice, first for the size: a page is never in memory as a whole. */
  parts(): Iterable<string | Uint8Array>;
}

/** A compressed tar archive, in chunks. Neither users nor times of this machine are in it. */
export async function* tarball(members: readonly Member[], mtime: Date): AsyncGenerator<Buffer> {
  const { readable, controller } = createTarPacker();
  const compressed = pipeline(
    Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]),
    createGzip(),
    () => {},
  );
  const pack = async (): Promise<void> => {
    try {
      for (const { name, parts } of members) {
        let size = 0;
        for (const part of parts()) size += Buffer.byteLength(part);
        const writer = controller.add({ name, size, mtime, mode: 0o644, uid: 0, gid: 0 }).getWriter();
        for (const part of parts()) {
          await writer.write(typeof part === 'string' ? Buffer.from(part) : part);
        }
        await writer.close();
      }
      controller.finalize();
    } catch (error) {
      // The reader of the archive gets the error. After the reader has stopped, this fails, too.
      controller.error(error);
    }
  };
  void pack();
  yield* compressed as AsyncIterable<Buffer>;
}

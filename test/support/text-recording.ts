import type { FileEnd } from '../../src/engine/recording/file-end.js';
import type { OnLine, RecordingFile } from '../../src/inspect/source.js';

/** A recording in memory. `read` is the number of the last line that was read. */
export function textRecording(
  lines: readonly string[],
  end: FileEnd = { kind: 'whole' },
): RecordingFile & { read: number } {
  const file = {
    path: 'a.xdsrec',
    read: 0,
    readLines: async (onLine: OnLine): Promise<FileEnd> => {
      file.read = 0;
      for (const line of lines) {
        const handle = onLine(line, ++file.read);
        if (!(typeof handle === 'function' ? handle() : handle)) break;
      }
      return end;
    },
    decodeBase64: (text: string) => Buffer.from(text, 'base64'),
  };
  return file;
}

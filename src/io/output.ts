import { countText } from '../base/count-text.js';
import { EXIT } from '../base/exit-codes.js';
import type { Clock } from '../engine/ports.js';
import { errorText } from '../view/visible-text.js';
import { OutputQueue } from './output-queue.js';
import type { ProcessEnd } from './process-end.js';

/** An output stream. */
export interface Output {
  write(text: string): void;
  /** Writes a line of a live stream. Drops it if the reader is too slow; then `gap` is written instead. */
  offer(line: () => string, gap: (dropped: number) => string): void;
  /** Resolves when the next part of a large document can be written: the reader has taken most of the parts before. */
  ready(): Promise<void>;
  isTerminal: boolean;
  /** The same output without redaction, for text that contains no secrets but may look like one, such as code. */
  unredacted?: Output;
  /** The current size of the terminal, or 80 columns and 24 rows. */
  readonly columns: number;
  readonly rows: number;
}

/** The width for text output; undefined if the output is not a terminal, so that lines are not cut or wrapped. */
export function widthOf(output: Output): number | undefined {
  return output.isTerminal ? output.columns : undefined;
}

/** stdout of this process. */
export interface ProcessOutput extends Output {
  /** Reports dropped lines. After an interrupt, waits only for a reader that still reads. */
  finish(isInterrupted: boolean, clock: Clock, report: (sentence: string) => void): Promise<void>;
}

const TOO_SLOW = 'output is not read fast enough';

/** The process ends if stdout cannot be written. */
export function outputOf(
  stream: NodeJS.WriteStream,
  end: Pick<ProcessEnd, 'interrupt' | 'isInterrupted'>,
): ProcessOutput {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as `head` does. This ends the program without an error.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    // The terminal was closed, which may be seen before its signal arrives.
    if (error.code === 'EIO' && stream.isTTY) return end.interrupt('SIGHUP');
    process.stderr.write(errorText(`output cannot be written: ${error.message}`));
    process.exit(EXIT.unavailable);
  });
  const queue = queueOf(stream);
  return Object.assign(
    output(stream, queue, () => true),
    {
      // After an interrupt, `finish` decides how long to wait for the reader.
      ready: async () => (end.isInterrupted ? undefined : await queue.ready()),
      finish: async (isInterrupted: boolean, clock: Clock, report: (sentence: string) => void) => {
        queue.closeGap();
        const lost = isInterrupted ? await queue.drain(clock) : 0;
        if (queue.dropped > 0) report(`${countText(queue.dropped, 'line')} dropped: ${TOO_SLOW}`);
        if (lost > 0) report(`${countText(lost, 'character')} not written: ${TOO_SLOW}`);
      },
    },
  );
}

/** stderr. Messages that cannot be written are lost; they never change stdout or the exit code. */
export function errorOutput(stream: NodeJS.WriteStream): Output {
  let isLost = false;
  stream.on('error', () => {
    isLost = true;
  });
  // After an error, Node would keep all further text in memory.
  return output(stream, queueOf(stream), () => !isLost);
}

function output(stream: NodeJS.WriteStream, queue: OutputQueue, isWritable: () => boolean): Output {
  const isTerminal = stream.isTTY === true;
  const write = (text: string): void => {
    if (!isWritable()) return;
    // Writes to a terminal block, so that the screen is restored even at an abrupt exit.
    if (isTerminal) stream.write(text);
    else queue.write(text);
  };
  return {
    write,
    offer: (line, gap) => (isTerminal || !isWritable() ? write(line()) : queue.offer(line, gap)),
    ready: () => queue.ready(),
    isTerminal,
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

function queueOf(stream: NodeJS.WriteStream): OutputQueue {
  const handle = (): { writeQueueSize?: number } | undefined =>
    (stream as unknown as { _handle?: { writeQueueSize?: number } })._handle;
  const queue = new OutputQueue(
    { write: (text, written) => stream.write(text, written), unsent: () => handle()?.writeQueueSize ?? 0 },
    () => process.stderr.write(errorText(`${TOO_SLOW}: lines are dropped until the reader continues`)),
  );
  process.on('exit', () => queue.flush());
  return queue;
}

import { EXIT } from '../base/exit-codes.js';
import { errorText } from '../view/visible-text.js';

/** An output stream. */
export interface Output {
  write(text: string): void;
  isTerminal: boolean;
  /** The current size of the terminal, or 80 columns and 24 rows. */
  readonly columns: number;
  readonly rows: number;
}

/** The width for text output; undefined if the output is not a terminal, so that lines are not cut or wrapped. */
export function widthOf(output: Output): number | undefined {
  return output.isTerminal ? output.columns : undefined;
}

export function outputOf(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as `head` does. This ends the program without an error.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(errorText(`output cannot be written: ${error.message}`));
    process.exit(EXIT.unavailable);
  });
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

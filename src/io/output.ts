import { EXIT } from '../base/exit-codes.js';
import { errorText } from '../view/visible-text.js';

/** A place to write to. */
export interface Output {
  write(text: string): void;
  isTerminal: boolean;
  /** Of the terminal, now; 80 and 24 elsewhere. */
  readonly columns: number;
  readonly rows: number;
}

/** What texts for people have to fit in; undefined where nobody looks, and nothing is to be cut or broken. */
export function widthOf(output: Output): number | undefined {
  return output.isTerminal ? output.columns : undefined;
}

export function outputOf(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads may stop reading, as `head` does: that ends the program, it is no error.
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

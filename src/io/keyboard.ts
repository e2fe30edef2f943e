import type { Key } from '../base/key.js';
import type { CliEnvironment } from './environment.js';
import { KeyDecoder } from './key-decoder.js';

/** The keyboard of a terminal. */
export interface Keyboard {
  /** Passes typed text to the callback, without echo. Returns a function that stops it. */
  open(onText: (text: string) => void): () => void;
}

/** A terminal sends a sequence without delay. After this time, an Escape character was the Escape key. */
const ESCAPE_MS = 50;

/** Calls back with every key. Returns a function that stops it. */
export function readKeys({ keyboard, clock }: CliEnvironment, onKey: (key: Key) => void): () => void {
  if (keyboard === undefined) return () => {};
  const decoder = new KeyDecoder();
  let cancel = (): void => {};
  const close = keyboard.open((text) => {
    cancel();
    for (const key of decoder.read(text)) onKey(key);
    if (decoder.isWaiting) cancel = clock.wakeAt(clock.now() + ESCAPE_MS, () => decoder.flush().forEach(onKey));
  });
  return () => {
    cancel();
    close();
  };
}

const INTERRUPT = '\x03';

/** The part of stdin that a terminal uses. */
export interface TerminalInput {
  isTTY?: boolean;
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  off(event: 'data', listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The keyboard of this process, if stdin is a terminal. */
export function terminalKeyboard(
  stdin: TerminalInput,
  atExit: CliEnvironment['atExit'],
  interrupt: () => void,
): Keyboard | undefined {
  if (stdin.isTTY !== true) return undefined;
  return {
    open: (onText) => {
      const read = (text: string): void => {
        // In raw mode the terminal sends Ctrl-C as a character instead of a signal.
        if (text.includes(INTERRUPT)) interrupt();
        else onText(text);
      };
      const forget = atExit(() => stdin.setRawMode(false));
      stdin.setRawMode(true);
      stdin.setEncoding('utf8');
      stdin.on('data', read);
      stdin.resume();
      return () => {
        forget();
        stdin.off('data', read);
        stdin.pause();
        stdin.setRawMode(false);
      };
    },
  };
}

import type { Key } from '../base/key.js';
import type { CliEnvironment } from './environment.js';
import { KeyDecoder } from './key-decoder.js';

/** The keyboard of a terminal. */
export interface Keyboard {
  /** Hands over what is typed, which the terminal no longer shows; the function returned ends that. */
  open(onText: (text: string) => void): () => void;
}

/** A terminal sends the rest of a sequence at once: after this long, Escape was a key. */
const ESCAPE_MS = 50;

/** Calls back with every key until the function returned is called, or the process ends. */
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

/** What stdin is where it is a terminal. */
export interface TerminalInput {
  isTTY?: boolean;
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  off(event: 'data', listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The terminal that this process reads from, if it does. */
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

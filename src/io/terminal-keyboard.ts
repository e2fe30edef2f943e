import type { CliEnvironment } from './environment.js';
import type { Keyboard } from './keyboard.js';

const INTERRUPT = '\x03';
const SUSPEND = '\x1a';

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
  { atExit, onSuspend }: Pick<CliEnvironment, 'atExit' | 'onSuspend'>,
  { interrupt, suspend }: { interrupt(): void; suspend(): void },
): Keyboard | undefined {
  if (stdin.isTTY !== true) return undefined;
  return {
    open: (onText) => {
      const read = (text: string): void => {
        // In raw mode the terminal sends Ctrl-C and Ctrl-Z as characters instead of signals.
        if (text.includes(INTERRUPT)) interrupt();
        else if (text.includes(SUSPEND)) suspend();
        else onText(text);
      };
      const forget = atExit(() => stdin.setRawMode(false));
      const stay = onSuspend?.({ leave: () => stdin.setRawMode(false), resume: () => stdin.setRawMode(true) });
      stdin.setRawMode(true);
      stdin.setEncoding('utf8');
      stdin.on('data', read);
      stdin.resume();
      return () => {
        forget();
        stay?.();
        stdin.off('data', read);
        stdin.pause();
        stdin.setRawMode(false);
      };
    },
  };
}

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
export function readKeys(env: CliEnvironment, onKey: (key: Key) => void): () => void {
  const { clock } = env;
  const keyboard = env.keyboard?.();
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

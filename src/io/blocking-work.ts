import { SIGNALS } from './process-end.js';

/**
 * Runs work that blocks the event loop, such as parsing a large file. Meanwhile signals have no listeners and end the process
 * at once: Node would call a listener only after the work.
 */
export function blockingWork<T>(work: () => T): T {
  const listeners = SIGNALS.flatMap((signal) => process.listeners(signal).map((listener) => ({ signal, listener })));
  for (const { signal, listener } of listeners) process.off(signal, listener);
  try {
    return work();
  } finally {
    for (const { signal, listener } of listeners) process.on(signal, listener);
  }
}

/** Preloaded into a process: reports the size of its heap after a garbage collection. */
process.on('message', () => {
  (globalThis as { gc?: () => void }).gc?.();
  process.send?.(process.memoryUsage().heapUsed / 2 ** 20);
});
// The channel does not keep the process alive.
process.channel?.unref();

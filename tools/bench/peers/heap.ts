/** Is loaded into a process beside its program, and tells what is left on its heap after a garbage collection. */
process.on('message', () => {
  (globalThis as { gc?: () => void }).gc?.();
  process.send?.(process.memoryUsage().heapUsed / 2 ** 20);
});
// Neither this nor the channel keeps the process.
process.channel?.unref();

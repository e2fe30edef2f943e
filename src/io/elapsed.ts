/** Milliseconds since some moment; never steps. The first use of `performance` loads nine modules of Node. */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** A measured size of a process. */
export interface Sample {
  seconds: number;
  mib: number;
}

/** The line through the samples, by least squares: its slope, in MiB per minute. */
export function slopePerMinute(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ mib }) => mib))];
  const over = samples.reduce((sum, { seconds, mib }) => sum + (seconds - x) * (mib - y), 0);
  const under = samples.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0);
  return under === 0 ? 0 : (60 * over) / under;
}

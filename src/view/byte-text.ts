const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** The size of a file: `812 bytes`, `48 kB`, `3.1 MB`. */
export function byteText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[power]}`;
}

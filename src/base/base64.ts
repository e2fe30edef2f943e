const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));
VALUES.set('-', 62);
VALUES.set('_', 63);

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  // In slices: a call has a limit on its number of arguments.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/** Reads standard or URL-safe base64, padded or not, as proto JSON allows; `undefined` if it is neither. */
export function fromBase64(text: string): Uint8Array | undefined {
  const body = text.replace(/={0,2}$/, '');
  if (body.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (const letter of body) {
    const value = VALUES.get(letter);
    if (value === undefined) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = (bits >>> count) & 0xff;
  }
  return bytes;
}

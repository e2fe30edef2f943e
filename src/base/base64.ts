/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  // In slices, because the number of arguments of a call is limited.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/** Reads standard or URL-safe base64, padded or not, as proto JSON allows; `undefined` if it is neither. */
export function fromBase64(text: string): Uint8Array | undefined {
  const body = text.replace(/={0,2}$/, '');
  if (body.length % 4 === 1 || !/^[\w+/-]*$/.test(body)) return undefined;
  const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

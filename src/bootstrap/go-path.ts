/** Escapes a text like url.PathEscape. */
export function escapePathSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]|%(?:24|26|2B|3A|3D|40)/g,
    (part) => (part.startsWith('%') ? decodeURIComponent(part) : `%${part.charCodeAt(0).toString(16).toUpperCase()}`),
  );
}

/** A key of `node.metadata` with its value, or a file with several. */
export type MetadataPart = readonly [key: string, value: unknown] | { readonly file: string };

export type MetadataResult = { ok: true; parts: MetadataPart[] } | { ok: false; problem: string };

/** Reads `k=v,k=v`, a JSON object or `@file`. The problem is a predicate. */
export function readMetadataText(text: string): MetadataResult {
  if (/^\s*\{/.test(text)) return ofJson(text);
  if (text.startsWith('@')) {
    return text === '@' ? refused('@ requires a file: @node.yaml') : { ok: true, parts: [{ file: text.slice(1) }] };
  }
  const parts: MetadataPart[] = [];
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=');
    if (at < 1) return refused(`takes k=v pairs joined by commas, a JSON object or @file, not "${pair}"`);
    parts.push([pair.slice(0, at), pair.slice(at + 1)]);
  }
  return { ok: true, parts };
}

function ofJson(text: string): MetadataResult {
  try {
    return { ok: true, parts: Object.entries(JSON.parse(text)) };
  } catch (error) {
    // The message of V8 quotes the text, which may contain a secret.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    const where = position === undefined ? '' : ` (at character ${Number(position) + 1})`;
    return refused(`begins with { and is not valid JSON${where}`);
  }
}

const refused = (problem: string): MetadataResult => ({ ok: false, problem });

/** Whether a part is a key and not a file. */
export function isEntry(part: MetadataPart): part is readonly [string, unknown] {
  return Array.isArray(part);
}

/** `region/zone/sub_zone`, of which the last ones may be missing. */
export function readLocality(text: string): { region: string; zone: string; subZone: string } | undefined {
  const [region = '', zone = '', subZone = '', ...more] = text.split('/');
  return region === '' || more.length > 0 ? undefined : { region, zone, subZone };
}

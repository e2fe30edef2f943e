import { didYouMean } from '../base/nearest.js';
import { catalogue } from './catalogue.js';

/** Reads the codes of `--suppress`, such as `XI012,xi021`. */
export function parseCodes(typed: string): { ok: true; codes: ReadonlySet<string> } | { ok: false; message: string } {
  const codes = typed.split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim().toUpperCase()]));
  if (codes.length === 0) return { ok: true, codes: new Set() };
  const known = new Set(catalogue().map(({ code }) => code));
  const unknown = codes.filter((code) => !known.has(code));
  if (unknown.length === 0) return { ok: true, codes: new Set(codes) };
  const hints = unknown.map((code) => `"${code}"${didYouMean(code, known)}`).join(', ');
  return { ok: false, message: `there is no finding ${hints}` };
}

/** Whether a finding stays when codes are suppressed; gRPC's own verdict always stays. */
export function unlessSuppressed(codes: ReadonlySet<string>): (finding: { code: string }) => boolean {
  if (codes.size === 0) return () => true;
  const hidden = new Set(catalogue().flatMap(({ code, isVerdict }) => (codes.has(code) && !isVerdict ? [code] : [])));
  return ({ code }) => !hidden.has(code);
}

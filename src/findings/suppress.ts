import { didYouMean } from '../base/nearest.js';
import { CATALOGUE } from './catalogue.js';

/** Reads the codes of `--suppress`, such as `XI012,xi021`. */
export function parseCodes(typed: string): { ok: true; codes: ReadonlySet<string> } | { ok: false; message: string } {
  const codes = typed.split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim().toUpperCase()]));
  const unknown = codes.filter((code) => !CATALOGUE.has(code));
  if (unknown.length === 0) return { ok: true, codes: new Set(codes) };
  const hints = unknown.map((code) => `"${code}"${didYouMean(code, CATALOGUE.keys())}`).join(', ');
  return { ok: false, message: `there is no finding ${hints}` };
}

/** The findings that stay when codes are suppressed; gRPC's own verdict always stays. */
export function withoutCodes<F extends { code: string }>(findings: readonly F[], codes: ReadonlySet<string>): F[] {
  return findings.filter(({ code }) => !codes.has(code) || CATALOGUE.get(code)?.isVerdict === true);
}

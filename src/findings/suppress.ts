import { didYouMean } from '../base/nearest.js';
import { catalogue } from './catalogue.js';

/** Names the codes that no finding has. */
export function unknownCodes(codes: ReadonlySet<string>): string | undefined {
  const known = new Set(catalogue().map(({ code }) => code));
  const unknown = [...codes].filter((code) => !known.has(code));
  if (unknown.length === 0) return undefined;
  return `there is no finding ${unknown.map((code) => `"${code}"${didYouMean(code, known)}`).join(', ')}`;
}

/** Whether a finding stays when codes are suppressed; gRPC's own verdict always stays. */
export function unlessSuppressed(codes: ReadonlySet<string>): (finding: { code: string }) => boolean {
  if (codes.size === 0) return () => true;
  const hidden = new Set(catalogue().flatMap(({ code, isVerdict }) => (codes.has(code) && !isVerdict ? [code] : [])));
  return ({ code }) => !hidden.has(code);
}

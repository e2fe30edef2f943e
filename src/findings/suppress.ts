import { didYouMean } from '../base/nearest.js';
import { catalogue } from './catalogue.js';

/** Returns an error message for codes that do not exist. */
export function unknownCodes(codes: ReadonlySet<string>): string | undefined {
  const known = new Set(catalogue().map(({ code }) => code));
  const unknown = [...codes].filter((code) => !known.has(code));
  if (unknown.length === 0) return undefined;
  return `unknown finding code ${unknown.map((code) => `"${code}"${didYouMean(code, known)}`).join(', ')}`;
}

/** Returns a filter that removes suppressed findings. Errors of gRPC itself cannot be suppressed. */
export function unlessSuppressed(codes: ReadonlySet<string>): (finding: { code: string }) => boolean {
  if (codes.size === 0) return () => true;
  const hidden = new Set(
    catalogue().flatMap(({ code, isGrpcError }) => (codes.has(code) && !isGrpcError ? [code] : [])),
  );
  return ({ code }) => !hidden.has(code);
}

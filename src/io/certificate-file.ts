import type { FileState } from '../bootstrap/lint/finding.js';
import { RefusedFile } from './file-guard.js';
import { reason } from './file-problem.js';
import { MAX_SETTINGS_BYTES, readRegularFile } from './input-file.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Inspects a file that a bootstrap names. Reports the first expired certificate in it. */
export function inspectCertificateFile(path: string, now: number): FileState {
  let text: string;
  try {
    text = readRegularFile(path, MAX_SETTINGS_BYTES).toString('latin1');
  } catch (error) {
    if (error instanceof RefusedFile) return { kind: 'unchecked' };
    return { kind: 'unreadable', reason: reason(error) };
  }
  // Loaded on use: it takes longer than the rest of the validation of a bootstrap.
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  for (const [pem] of text.matchAll(CERTIFICATE)) {
    try {
      const { validTo } = new X509Certificate(pem);
      if (Date.parse(validTo) < now) return { kind: 'readable', expired: new Date(validTo).toISOString().slice(0, 10) };
    } catch {
      return { kind: 'unreadable', reason: 'it contains an unreadable certificate' };
    }
  }
  return { kind: 'readable', expired: undefined };
}

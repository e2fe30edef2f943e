/** Replaces a secret in output. */
export const REDACTED = '[redacted]';

const SECRET = /^(?:proxy-)?authorization$|cookie|token|secret|passw|api[-_]?key|private[-_]?key|credential/i;

/** Whether the name of a header or of a metadata key indicates a credential. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

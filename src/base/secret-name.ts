/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

const SECRET = /^(?:proxy-)?authorization$|cookie|token|secret|passw|api[-_]?key|private[-_]?key|credential/i;

/** Whether a header or a key of metadata is one whose value lets somebody in. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

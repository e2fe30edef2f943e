/** Replaces a secret in output. */
export const REDACTED = '[redacted]';

/** Names of headers, metadata keys, query parameters and fields of Structs whose values are secret, and why. */
const SECRET_NAMES: readonly { pattern: string; reason: string }[] = [
  { pattern: '(?:^|[-_])authorization$', reason: 'credentials of the caller, also for a proxy' },
  { pattern: 'cookie', reason: 'a session' },
  { pattern: 'token', reason: 'a bearer token' },
  { pattern: '(?:^|[-_])jwt$|jwt[-_]?assertion', reason: 'a signed token, valid for its bearer' },
  { pattern: 'secret', reason: 'a shared secret, such as that of an OAuth client' },
  { pattern: 'passw|passphrase', reason: 'a password' },
  { pattern: '(?:api|access|auth|private|signing|encryption|hmac)[-_]?key', reason: 'a key that grants access' },
  { pattern: 'credential', reason: 'credentials in any form' },
  { pattern: 'session[-_]?id$', reason: 'a session' },
];

/** Names that contain such a word, but say where a secret is or how many there are. */
const NOT_SECRET = /(?:file|filename|path|name|ttl)$|token[-_]?bucket|max[-_]?tokens|tokens[-_]?per/i;

const SECRET = new RegExp(SECRET_NAMES.map(({ pattern }) => pattern).join('|'), 'i');

/** Whether the name of a header, of a metadata key or of a query parameter indicates a credential. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !NOT_SECRET.test(name);
}

/** The value of a header or key as output shows it. */
export function shownValue(name: string, value: string): string {
  return isSecretName(name) ? REDACTED : value;
}

/** The part of a URI before the host: a user and a password. The characters that end it keep the search linear. */
const USER_INFO = /(?<=:\/\/)[^\s/?#@"'`<>\\]+(?=@)/g;
const QUERY_VALUE = /(?<=[?&]([\w.-]{1,64})=)[^\s&#"'`<>\\]+/g;
/** In JSON, line breaks are `\n`. */
const PRIVATE_KEY = /(?<=-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)(?:[A-Za-z0-9+/=\s]|\\[nr])+/g;
/** Names of query parameters that are secret in signed URLs. */
const SIGNED = new Set(['sig', 'signature', 'key', 'code']);

/** The secrets in a text without structure: in URIs, and private keys in PEM. */
export function redactText(text: string, replace: (secret: string, offset: number) => string = () => REDACTED): string {
  return text
    .replace(USER_INFO, replace)
    .replace(QUERY_VALUE, (value, name: string, offset: number) =>
      isSecretName(name) || SIGNED.has(name.toLowerCase()) ? replace(value, offset) : value,
    )
    .replace(PRIVATE_KEY, replace);
}

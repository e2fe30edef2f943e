import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { isSecretName, redactText } from '../../src/base/secret-name.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';
import { xdsRedactor } from '../../src/resources/xds-redactor.js';

const TYPE = 'type.googleapis.com';
const SECRET = 'hush-hush';
const STRING_MATCH = (pattern: object) => ({ name: 'authorization', stringMatch: pattern });
const HEADER_INPUT = {
  name: 'input',
  typedConfig: { '@type': `${TYPE}/envoy.type.matcher.v3.HttpRequestHeaderMatchInput`, headerName: 'cookie' },
};

/** A message with a secret, its type, and the same message in output. */
const CASES: [what: string, type: string, message: object, printed: object][] = [
  [
    'a condition on a header',
    'envoy.config.route.v3.HeaderMatcher',
    STRING_MATCH({ exact: SECRET, ignoreCase: true }),
    STRING_MATCH({ exact: '[redacted]', ignoreCase: true }),
  ],
  [
    'a negated regular expression',
    'envoy.config.route.v3.HeaderMatcher',
    { ...STRING_MATCH({ safeRegex: { regex: `${SECRET}.*` } }), invertMatch: true },
    { ...STRING_MATCH({ safeRegex: { regex: '[redacted]' } }), invertMatch: true },
  ],
  [
    'a condition in a matcher tree',
    'xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate',
    { input: HEADER_INPUT, valueMatch: { prefix: SECRET } },
    { input: HEADER_INPUT, valueMatch: { prefix: '[redacted]' } },
  ],
  [
    'a field of a Struct, at any depth',
    'google.protobuf.Struct',
    { value: { list: [{ Password: SECRET, user: 'u' }], api_key: { a: [SECRET, SECRET] } } },
    { value: { list: [{ Password: '[redacted]', user: 'u' }], api_key: { a: ['[redacted]', '[redacted]'] } } },
  ],
  [
    'a URI',
    'envoy.config.core.v3.HttpUri',
    { uri: `https://u:${SECRET}@h/p?a=1&token=${SECRET}`, cluster: 'c' },
    { uri: 'https://[redacted]@h/p?a=1&token=[redacted]', cluster: 'c' },
  ],
];

function encoded(type: string, message: object): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': `${TYPE}/${type}`, ...message }, problems);
  expect(problems.list).toEqual([]);
  return any?.value as Uint8Array;
}

describe('a secret that is named by its header or key', () => {
  it.each(CASES)('is redacted in %s', (_, type, message, printed) => {
    const bytes = encoded(type, message);
    const shown = printAny(xdsCatalogue, type, bytes, { showSecrets: false });
    expect(shown).toEqual({ '@type': type, ...printed });
    expect(printAny(xdsCatalogue, type, bytes, { showSecrets: true })).toEqual({ '@type': type, ...message });
  });

  it.each(CASES)('is overwritten in the bytes of %s, which keep their length and structure', (_, type, message) => {
    const bytes = encoded(type, message);
    const redacted = xdsRedactor().redact(type, bytes);
    expect(redacted.length).toBe(bytes.length);
    expect(new TextDecoder().decode(redacted)).not.toContain('hush');
    const structure = (one: Uint8Array): unknown =>
      JSON.parse(JSON.stringify(printAny(xdsCatalogue, type, one, { showSecrets: true })), (_key, value) =>
        typeof value === 'string' ? '' : value,
      );
    expect(structure(redacted)).toEqual(structure(bytes));
  });

  it.each(['a', 'abc+', 'x(y|z){2,3}', '(', '(hush', 'a{2,1}', '[z-'])(
    'leaves the regular expression %s as valid',
    (regex) => {
      const type = 'envoy.config.route.v3.HeaderMatcher';
      const redacted = xdsRedactor().redact(type, encoded(type, STRING_MATCH({ safeRegex: { regex } })));
      const shown = printAny(xdsCatalogue, type, redacted, { showSecrets: true }) as {
        stringMatch: { safeRegex: { regex: string } };
      };
      const isValid = !['(', '(hush', 'a{2,1}', '[z-'].includes(regex);
      expect(shown.stringMatch.safeRegex.regex).toMatch(isValid ? /^[\w.]+$/ : /^\([\w.]*$/);
    },
  );

  it('is left alone if the name is not secret', () => {
    const message = { name: 'env', stringMatch: { exact: 'canary' } };
    const type = 'envoy.config.route.v3.HeaderMatcher';
    const bytes = encoded(type, message);
    expect(xdsRedactor().redact(type, bytes)).toBe(bytes);
    expect(printAny(xdsCatalogue, type, bytes, { showSecrets: false })).toMatchObject(message);
  });
});

describe('the name of a secret', () => {
  it.each([
    ...['authorization', 'Proxy-Authorization', 'x-authorization', 'cookie', 'Set-Cookie', 'x-api-key', 'apiKey'],
    ...['access_token', 'x-amz-security-token', 'client_secret', 'password', 'passwd', 'passphrase', 'private_key'],
    ...['aws_access_key', 'credentials', 'jwt', 'x-jwt-assertion', 'session_id'],
  ])('may be %s', (name) => expect(isSecretName(name)).toBe(true));

  it.each([
    ...['authority', 'authorization_policy', 'env', 'token_bucket', 'max_tokens', 'tokens_per_fill', 'token_file'],
    ...['secret_name', 'private_key_path', 'key', 'monkey', 'envoy.filters.http.jwt_authn'],
  ])('is not %s', (name) => expect(isSecretName(name)).toBe(false));
});

describe('a text', () => {
  it.each([
    ['https://user:pass@host/p', 'https://[redacted]@host/p'],
    ['dns://token@8.8.8.8/x', 'dns://[redacted]@8.8.8.8/x'],
    ['see http://h/?access_token=abc&x=1#f', 'see http://h/?access_token=[redacted]&x=1#f'],
    ['https://h/a?sig=abc%2F', 'https://h/a?sig=[redacted]'],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----',
    ],
    ['{"k":"-----BEGIN PRIVATE KEY-----\\nMII\\n"}', '{"k":"-----BEGIN PRIVATE KEY-----[redacted]"}'],
  ])('%s loses its secrets', (text, shown) => expect(redactText(text)).toBe(shown));

  it.each([
    'xds:///greeter',
    'xds://authority/a?b=c',
    'grpc/server?xds.resource.listening_address=0.0.0.0:80',
    'https://example.com/@user',
    'mail me@example.com',
    'no secret here',
  ])('%s is unchanged', (text) => expect(redactText(text)).toBe(text));
});

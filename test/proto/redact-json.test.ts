import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { redactText } from '../../src/base/secret-name.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';
import { redactJson } from '../../src/proto/json/redact-json.js';
import { randomFrom, randomMessage } from './random-message.js';

const T = 'type.googleapis.com/';
const TYPES = [...xdsCatalogue.messageNames()].filter((name) => !name.startsWith('google.protobuf.'));

/** The JSON of a redacted print, in which `printAny` leaves secrets of wrapped texts to the output. */
function redactedPrint(typeUrl: string, value: Uint8Array): unknown {
  return JSON.parse(JSON.stringify(printAny(xdsCatalogue, typeUrl, value, { showSecrets: false })), (_key, one) =>
    typeof one === 'string' ? redactText(one) : one,
  );
}

/** The paths of all values; of a text, only the fact that it is one. */
function structure(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(structure);
  if (typeof json !== 'object' || json === null) return 'leaf';
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, structure(value)]));
}

describe('redacting proto JSON', () => {
  it('equals redacting the bytes, for every type of the API', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), fc.nat(), (name, seed) => {
        const json = { '@type': `${T}${name}`, ...(randomMessage(name, randomFrom(seed)) as object) };
        const problems = new Problems();
        const any = parseAny(xdsCatalogue, json, problems);
        expect(problems.list).toEqual([]);
        if (any === undefined) return;
        const printed = printAny(xdsCatalogue, any.typeUrl, any.value);
        const redacted = redactJson(xdsCatalogue, any.typeUrl, printed);
        expect(redacted).toEqual(redactedPrint(any.typeUrl, any.value));
        expect(structure(redacted)).toEqual(structure(printed));
      }),
      { numRuns: 1500 },
    );
  });

  const cases: [title: string, type: string, json: object, want: object][] = [
    [
      'fields that are spelled as in the .proto file',
      'envoy.config.core.v3.GrpcService',
      { initial_metadata: [{ key: 'authorization', value: 'KEY', raw_value: 'S0VZ' }] },
      { initial_metadata: [{ key: 'authorization', value: '[redacted]', raw_value: '[redacted]' }] },
    ],
    [
      'fields that the API lacks, in a message with secrets',
      'envoy.extensions.transport_sockets.tls.v3.TlsCertificate',
      { newKey: { inline: 'KEY' } },
      { newKey: { inline: '[redacted]' } },
    ],
    [
      'fields that the API lacks, by their names',
      'envoy.config.cluster.v3.Cluster',
      { newField: { password: 'KEY', user: 'u' }, apiKey: 'KEY' },
      { newField: { password: '[redacted]', user: 'u' }, apiKey: '[redacted]' },
    ],
    [
      'types that the API lacks, by the names of their fields',
      'acme.v1.Thing',
      { client_secret: 'KEY', inner: [{ uri: 'https://u:KEY@h/' }], n: 1 },
      { client_secret: '[redacted]', inner: [{ uri: 'https://[redacted]@h/' }], n: 1 },
    ],
    [
      'a message in a field that the API lacks',
      'acme.v1.Thing',
      {
        any: {
          '@type': `${T}envoy.extensions.transport_sockets.tls.v3.Secret`,
          genericSecret: { secret: { inlineString: 'KEY' } },
        },
      },
      {
        any: {
          '@type': `${T}envoy.extensions.transport_sockets.tls.v3.Secret`,
          genericSecret: { secret: { inlineString: '[redacted]' } },
        },
      },
    ],
    [
      'bytes that could not be decoded',
      'envoy.extensions.transport_sockets.tls.v3.Secret',
      { '@error': 'byte 1', '@value': 'S0VZ' },
      { '@error': 'byte 1', '@value': '[redacted]' },
    ],
  ];
  it.each(cases)('redacts %s', (_title, type, json, want) => {
    expect(redactJson(xdsCatalogue, `${T}${type}`, json)).toEqual(want);
  });

  it.each([
    ['a type that the API lacks', 'acme.v1.Thing', 'a'],
    ['a field that the API lacks', 'envoy.config.cluster.v3.Cluster', 'a'],
    ['a field with a secret name', 'envoy.config.cluster.v3.Cluster', 'password'],
    ['a field that the API lacks, beside secrets', 'envoy.extensions.transport_sockets.tls.v3.TlsCertificate', 'a'],
    ['an unknown field', 'envoy.extensions.transport_sockets.tls.v3.TlsCertificate', '@unknown'],
    ['a secret', 'envoy.extensions.transport_sockets.tls.v3.TlsCertificate', 'password'],
    ['a filter', 'envoy.config.core.v3.TypedExtensionConfig', 'typedConfig'],
  ])('redacts values that are nested too deeply for the stack: %s', (_title, type, field) => {
    let json: unknown = 'KEY';
    for (let i = 0; i < 50_000; i++) json = { [i % 2 === 0 ? 'a' : 'token']: json };
    const shown = JSON.stringify(redactJson(xdsCatalogue, `${T}${type}`, { [field]: json }));
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain('KEY');
  });

  it('prints a resource that is not a message', () => {
    expect([null, 1, 'a', ['b']].map((json) => redactJson(xdsCatalogue, `${T}a.B`, json))).toEqual([
      null,
      1,
      'a',
      ['b'],
    ]);
  });
});

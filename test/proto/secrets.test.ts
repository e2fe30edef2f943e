import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';

const T = 'type.googleapis.com/';
const TLS = `${T}envoy.extensions.transport_sockets.tls.v3`;
const SECRET = `${TLS}.Secret`;

function printed(json: { '@type': string; [key: string]: unknown }, showSecrets = false): unknown {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, json, problems);
  if (any === undefined) throw new Error(JSON.stringify(problems.list));
  return printAny(xdsCatalogue, any.typeUrl, any.value, { showSecrets });
}

const cases: { title: string; json: { '@type': string; [key: string]: unknown }; want: Record<string, unknown> }[] = [
  {
    title: 'the key and the password of a TLS certificate, but not the chain',
    json: {
      '@type': SECRET,
      name: 'server',
      tlsCertificate: {
        certificateChain: { inlineString: 'CHAIN' },
        privateKey: { inlineString: 'KEY' },
        password: { inlineBytes: 'S0VZ' },
      },
    },
    want: {
      name: 'server',
      tlsCertificate: {
        certificateChain: { inlineString: 'CHAIN' },
        privateKey: { inlineString: '[redacted]' },
        password: { inlineBytes: '[redacted]' },
      },
    },
  },
  {
    title: 'not the location of a key',
    json: {
      '@type': SECRET,
      tlsCertificate: { privateKey: { filename: '/etc/key.pem', watchedDirectory: { path: '/etc' } } },
    },
    want: { tlsCertificate: { privateKey: { filename: '/etc/key.pem', watchedDirectory: { path: '/etc' } } } },
  },
  {
    title: 'every field of a private key provider',
    json: {
      '@type': SECRET,
      tlsCertificate: {
        privateKeyProvider: {
          providerName: 'p',
          typedConfig: { '@type': `${T}google.protobuf.Struct`, value: { key: 'KEY', list: [1, true] } },
        },
      },
    },
    want: {
      tlsCertificate: {
        privateKeyProvider: {
          providerName: 'p',
          typedConfig: {
            '@type': `${T}google.protobuf.Struct`,
            value: { key: '[redacted]', list: ['[redacted]', '[redacted]'] },
          },
        },
      },
    },
  },
  {
    title: 'a generic secret and its unknown fields',
    json: {
      '@type': SECRET,
      genericSecret: { secret: { inlineString: 'KEY' }, '@unknown': [{ field: 19, bytes: 'S0VZ' }] },
    },
    want: {
      genericSecret: { secret: { inlineString: '[redacted]' }, '@unknown': [{ field: 19, bytes: '[redacted]' }] },
    },
  },
  {
    title: 'each of several generic secrets',
    json: { '@type': SECRET, genericSecret: { secrets: { a: { inlineString: 'KEY' } } } },
    want: { genericSecret: { secrets: { a: { inlineString: '[redacted]' } } } },
  },
  {
    title: 'session ticket keys',
    json: { '@type': SECRET, sessionTicketKeys: { keys: [{ inlineBytes: 'S0VZ' }, { filename: '/f' }] } },
    want: { sessionTicketKeys: { keys: [{ inlineBytes: '[redacted]' }, { filename: '/f' }] } },
  },
  {
    title: 'users of basic auth',
    json: {
      '@type': `${T}envoy.extensions.filters.http.basic_auth.v3.BasicAuth`,
      users: { inlineString: 'KEY' },
    },
    want: { users: { inlineString: '[redacted]' } },
  },
  {
    title: 'the values of a map, but not the keys',
    json: {
      '@type': `${T}envoy.extensions.filters.http.ext_authz.v3.CheckSettings`,
      contextExtensions: { who: 'KEY' },
    },
    want: { contextExtensions: { who: '[redacted]' } },
  },
  {
    title: 'tokens that the API does not mark, nested in an Any',
    json: {
      '@type': `${T}envoy.config.core.v3.TypedExtensionConfig`,
      name: 'a',
      typedConfig: {
        '@type': `${T}envoy.config.core.v3.GrpcService`,
        googleGrpc: { targetUri: 'x', callCredentials: [{ accessToken: 'KEY' }, { googleRefreshToken: 'KEY' }] },
        initialMetadata: [
          { key: 'Authorization', value: 'KEY' },
          { key: 'x-env', value: 'test' },
        ],
      },
    },
    want: {
      name: 'a',
      typedConfig: {
        '@type': `${T}envoy.config.core.v3.GrpcService`,
        googleGrpc: {
          targetUri: 'x',
          callCredentials: [{ accessToken: '[redacted]' }, { googleRefreshToken: '[redacted]' }],
        },
        initialMetadata: [
          { key: 'Authorization', value: '[redacted]' },
          { key: 'x-env', value: 'test' },
        ],
      },
    },
  },
];

describe('printAny redacts', () => {
  for (const { title, json, want } of cases) {
    it(title, () => {
      expect(printed(json)).toEqual({ '@type': json['@type'], ...want });
      expect(JSON.stringify(printed(json))).not.toMatch(/KEY|S0VZ/);
      expect(printed(json, true)).toEqual(json);
    });
  }

  it('secrets in bytes that cannot be decoded, unless showSecrets is set', () => {
    const broken = Uint8Array.of(0x12, 9, 75, 69, 89);
    const print = (type: string, showSecrets: boolean): unknown =>
      printAny(xdsCatalogue, type, broken, { showSecrets });
    expect(print(SECRET, false)).toMatchObject({ '@value': '[redacted]', '@error': expect.stringContaining('byte') });
    expect(print(`${TLS}.DownstreamTlsContext`, false)).toMatchObject({ '@value': '[redacted]' });
    expect(print(SECRET, true)).toMatchObject({ '@value': 'EglLRVk=' });
    // A cluster contains secrets only in messages of other packages.
    expect(print(`${T}envoy.config.cluster.v3.Cluster`, false)).toMatchObject({ '@value': 'EglLRVk=' });
    expect(print('acme.example/Unknown', false)).toMatchObject({ '@value': 'EglLRVk=' });
  });

  it('the fields that the API marks as sensitive', () => {
    const marked = [...xdsCatalogue.messageNames()].flatMap((name) =>
      [...(xdsCatalogue.message(name)?.byNumber.values() ?? [])].filter((field) => field.sensitive),
    );
    expect(marked.length).toBeGreaterThan(20);
  });
});

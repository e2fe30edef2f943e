import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny, parseMessage } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';
import { Redactor } from '../../src/proto/redactor.js';

const T = 'type.googleapis.com/';
const TLS = `${T}envoy.extensions.transport_sockets.tls.v3`;
const RESPONSE = 'envoy.service.discovery.v3.DiscoveryResponse';
const CLUSTER = `${T}envoy.config.cluster.v3.Cluster`;
/** The output must not contain this text. */
const KEY = 'the-secret-that-nobody-may-see';

type Message = { '@type': string; [key: string]: unknown };

function encoded(resource: Message): Uint8Array {
  const problems = new Problems();
  const json = { version_info: '1', resources: [resource], type_url: resource['@type'], nonce: 'n' };
  const bytes = parseMessage(xdsCatalogue, RESPONSE, json, problems);
  if (bytes === undefined) throw new Error(JSON.stringify(problems.list));
  return bytes;
}

function decoded(bytes: Uint8Array): { resources: Message[] } {
  return printAny(xdsCatalogue, `${T}${RESPONSE}`, bytes) as never;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const HIDDEN = expect.stringMatching(/^\[redacted\]\.*\d+$/);

const tls = (common: object): Message => ({
  '@type': CLUSTER,
  name: 'c',
  transportSocket: {
    name: 'tls',
    typedConfig: { '@type': `${TLS}.UpstreamTlsContext`, commonTlsContext: common, sni: 'x' },
  },
});

const tlsOf = (message: Message): { transportSocket: { typedConfig: { commonTlsContext: unknown } } } =>
  message as never;

describe('Redactor', () => {
  const secrets: [string, Message][] = [
    ['a private key', tls({ tlsCertificates: [{ privateKey: { inlineString: KEY } }] })],
    [
      'a password in bytes',
      tls({ tlsCertificates: [{ password: { inlineBytes: Buffer.from(KEY).toString('base64') } }] }),
    ],
    [
      'the whole config of a private key provider',
      tls({
        tlsCertificates: [
          {
            privateKeyProvider: {
              providerName: 'p',
              typedConfig: { '@type': `${T}google.protobuf.Struct`, value: { a: [KEY, 1.5, true] } },
            },
          },
        ],
      }),
    ],
    [
      'basic auth users of a route',
      {
        '@type': `${T}envoy.config.route.v3.RouteConfiguration`,
        virtualHosts: [
          {
            domains: ['*'],
            typedPerFilterConfig: {
              auth: {
                '@type': `${T}envoy.extensions.filters.http.basic_auth.v3.BasicAuth`,
                users: { inlineString: KEY },
              },
            },
          },
        ],
      },
    ],
    [
      'a header with credentials',
      {
        '@type': `${T}envoy.config.route.v3.RouteConfiguration`,
        requestHeadersToAdd: [{ header: { key: 'Authorization', value: KEY } }],
      },
    ],
    [
      'map values in a Resource wrapper',
      {
        '@type': `${T}envoy.service.discovery.v3.Resource`,
        name: 'r',
        resource: {
          '@type': `${T}envoy.extensions.filters.http.ext_authz.v3.CheckSettings`,
          contextExtensions: { who: KEY },
        },
      },
    ],
  ];

  for (const [title, message] of secrets) {
    it(`redacts ${title} and keeps all offsets`, () => {
      const bytes = encoded(message);
      const redacted = new Redactor(xdsCatalogue).redact(RESPONSE, bytes);
      expect(text(bytes)).toContain(KEY);
      expect(text(redacted)).not.toContain(KEY);
      expect(redacted.length).toBe(bytes.length);
      expect(Object.keys(decoded(redacted).resources[0] as object)).toEqual(
        Object.keys(decoded(bytes).resources[0] as object),
      );
    });
  }

  it('returns the same bytes if there are no secrets', () => {
    const notSecret = [
      tls({ tlsCertificates: [{ privateKey: { filename: '/etc/key.pem' }, certificateChain: { inlineString: 'C' } }] }),
      {
        '@type': CLUSTER,
        name: 'c',
        type: 'EDS',
        metadata: { filterMetadata: { x: { tier: 'not redacted', token_bucket: 5 } } },
      },
      {
        '@type': `${T}envoy.config.route.v3.RouteConfiguration`,
        requestHeadersToAdd: [{ header: { key: 'x-env', value: 'prod' } }],
      },
    ];
    for (const message of notSecret) {
      const bytes = encoded(message);
      expect(new Redactor(xdsCatalogue).redact(RESPONSE, bytes)).toBe(bytes);
    }
  });

  it('keeps equal secrets equal and different secrets different', () => {
    const redactor = new Redactor(xdsCatalogue);
    const of = (key: string): Uint8Array =>
      redactor.redact(RESPONSE, encoded(tls({ tlsCertificates: [{ privateKey: { inlineString: key } }] })));
    const [first, again, other] = [of('a'.repeat(40)), of('a'.repeat(40)), of('b'.repeat(40))];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(tlsOf(decoded(other).resources[0] as Message).transportSocket.typedConfig.commonTlsContext).toEqual({
      tlsCertificates: [{ privateKey: { inlineString: HIDDEN } }],
    });
  });

  it('truncates the replacement for short secrets', () => {
    const redactor = new Redactor(xdsCatalogue);
    const shown = [1, 2, 3, 11, 12].map((length) => {
      const bytes = encoded(tls({ tlsCertificates: [{ privateKey: { inlineString: 'k'.repeat(length) } }] }));
      const common = tlsOf(decoded(redactor.redact(RESPONSE, bytes)).resources[0] as Message).transportSocket
        .typedConfig.commonTlsContext as { tlsCertificates: [{ privateKey: { inlineString: string } }] };
      return common.tlsCertificates[0].privateKey.inlineString;
    });
    expect(shown).toEqual(['[', '[r', '[r3', '[redacted]4', '[redacted].5']);
  });

  it('redacts malformed messages that may contain secrets, and keeps them malformed', () => {
    const context = parseAny(
      xdsCatalogue,
      {
        '@type': `${TLS}.UpstreamTlsContext`,
        commonTlsContext: { tlsCertificates: [{ privateKey: { inlineString: KEY } }] },
      },
      new Problems(),
    );
    const value = (context as { value: Uint8Array }).value;
    const broken = value.slice(0, value.length - 3);
    const bytes = encoded({
      '@type': CLUSTER,
      transportSocket: {
        typedConfig: { '@type': `${TLS}.UpstreamTlsContext`, '@value': Buffer.from(broken).toString('base64') },
      },
    });
    expect(text(bytes)).toContain(KEY.slice(0, -3));
    const redacted = new Redactor(xdsCatalogue).redact(RESPONSE, bytes);
    expect(text(redacted)).not.toContain(KEY.slice(0, 5));
    expect(redacted.length).toBe(bytes.length);
  });

  it('accepts any bytes', () => {
    const redactor = new Redactor(xdsCatalogue);
    const good = encoded(tls({ tlsCertificates: [{ privateKey: { inlineString: KEY } }] }));
    for (let at = 0; at < good.length; at++) {
      expect(redactor.redact(RESPONSE, good.slice(0, at)).length).toBe(at);
      const flipped = good.slice();
      flipped[at] = 255 - (flipped[at] as number);
      expect(redactor.redact(RESPONSE, flipped).length).toBe(good.length);
    }
  });
});

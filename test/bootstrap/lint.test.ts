import { describe, expect, it } from 'vitest';
import type { FileState } from '../../src/bootstrap/lint/finding.js';
import { validateBootstrap } from '../../src/bootstrap/report.js';
import { readSwitches } from '../../src/bootstrap/switches.js';

const GOOD = { server_uri: '127.0.0.1:1', channel_creds: [{ type: 'insecure' }] };
const NODE = { id: 'n', locality: {} };

/** Findings of a bootstrap as `code path`, without problems that gRPC itself reports. */
function findings(
  bootstrap: object,
  variables: Record<string, string> = {},
  files: Record<string, FileState> = {},
): string[] {
  const report = validateBootstrap('b.json', new TextEncoder().encode(JSON.stringify(bootstrap)), {
    preset: 'spec',
    file: undefined,
    switches: readSwitches(variables, 'spec'),
    variables,
    inspectFile: (path) => files[path] ?? { kind: 'unreadable', reason: 'no such file' },
  });
  return report.problems
    .filter((p) => p.code !== 'XI001' && p.code !== 'XI002')
    .map((p) => `${p.code} ${p.place.path}`.trim());
}

const server = (change: object): object => ({ xds_servers: [{ ...GOOD, ...change }], node: NODE });

describe('bootstrap lint', () => {
  it('has no findings for a valid bootstrap', () => {
    expect(
      findings({
        xds_servers: [GOOD],
        node: NODE,
        authorities: { a: {} },
        server_listener_resource_name_template: 'x/%s',
      }),
    ).toEqual([]);
  });

  const cases: {
    title: string;
    bootstrap: object;
    want: string[];
    variables?: Record<string, string>;
    files?: Record<string, FileState>;
  }[] = [
    {
      title: 'both environment variables',
      bootstrap: server({}),
      variables: { GRPC_XDS_BOOTSTRAP: 'f', GRPC_XDS_BOOTSTRAP_CONFIG: '{}' },
      want: ['XI010'],
    },
    {
      title: 'JSON instead of a file name',
      bootstrap: server({}),
      variables: { GRPC_XDS_BOOTSTRAP: ' {"a":1}' },
      want: ['XI011'],
    },
    {
      title: 'a file name instead of JSON',
      bootstrap: server({}),
      variables: { GRPC_XDS_BOOTSTRAP_CONFIG: '/etc/b.json' },
      want: ['XI011'],
    },
    {
      title: 'misspelt keys at every level',
      bootstrap: {
        xds_server: [],
        xds_servers: [{ ...GOOD, serverFeatures: [], server_url: 'x' }],
        node: { id: 'n', clutser: 'x', locality: { subZone: 'a' } },
        authorities: { a: { xdsServers: [] } },
        unrelated: 1,
      },
      want: [
        'XI012 xds_servers[0].serverFeatures',
        'XI012 node.clutser',
        'XI012 node.locality.subZone',
        'XI012 authorities["a"].xdsServers',
      ],
    },
    {
      title: 'an xds: address',
      bootstrap: server({ server_uri: 'xds:///foo' }),
      want: ['XI013 xds_servers[0].server_uri', 'XI015 xds_servers[0].channel_creds'],
    },
    {
      title: 'an http: address',
      bootstrap: server({ server_uri: 'http://127.0.0.1:1' }),
      want: ['XI013 xds_servers[0].server_uri', 'XI015 xds_servers[0].channel_creds'],
    },
    {
      title: 'an address without a port',
      bootstrap: server({ server_uri: 'localhost' }),
      want: ['XI014 xds_servers[0].server_uri'],
    },
    {
      title: 'an address that is not an IP address',
      bootstrap: server({ server_uri: 'ipv4:not-an-address', channel_creds: [{ type: 'tls' }] }),
      want: ['XI043 xds_servers[0].server_uri'],
    },
    {
      title: 'a port that is not a number',
      bootstrap: server({ server_uri: 'localhost:abc', channel_creds: [{ type: 'tls' }] }),
      want: ['XI043 xds_servers[0].server_uri'],
    },
    {
      title: 'a Unix socket without a path, in an authority',
      bootstrap: { ...server({}), authorities: { a: { xds_servers: [{ ...GOOD, server_uri: 'unix:' }] } } },
      want: ['XI043 authorities["a"].xds_servers[0].server_uri'],
    },
    {
      title: 'a node that grpc-js-xds rejects',
      bootstrap: { xds_servers: [GOOD], node: { id: 'n' } },
      want: ['XI044 node'],
    },
    { title: 'a unix socket', bootstrap: server({ server_uri: 'unix:///etc/istio/proxy/XDS' }), want: [] },
    {
      title: 'insecure credentials for a remote server',
      bootstrap: server({ server_uri: 'dns:///xds.example:443' }),
      want: ['XI015 xds_servers[0].channel_creds'],
    },
    {
      title: 'insecure credentials for any spelling of loopback',
      bootstrap: server({ server_uri: 'ipv6:[::1]:80' }),
      want: [],
    },
    {
      title: 'google_default credentials for loopback',
      bootstrap: server({ channel_creds: [{ type: 'google_default' }] }),
      want: ['XI016 xds_servers[0].channel_creds'],
    },
    {
      title: 'fake and unknown credentials',
      bootstrap: server({ channel_creds: [{ type: 'alts_special' }, { type: 'fake' }] }),
      want: ['XI017 xds_servers[0].channel_creds[0].type', 'XI017 xds_servers[0].channel_creds[1].type'],
    },
    {
      title: 'a credentials type in capitals',
      bootstrap: server({ channel_creds: [{ type: 'TLS' }, { type: 'insecure' }] }),
      want: ['XI018 xds_servers[0].channel_creds[0].type'],
    },
    {
      title: 'call credentials while they are disabled',
      bootstrap: server({ call_creds: [] }),
      want: ['XI019 xds_servers[0].call_creds'],
    },
    {
      title: 'call credentials on an insecure channel',
      bootstrap: server({ call_creds: [] }),
      variables: { GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS: 'true' },
      want: ['XI020 xds_servers[0].call_creds'],
    },
    {
      title: 'server features',
      bootstrap: server({
        server_features: [
          'xds_v3',
          'resource_timer_is_transient_failure',
          'ignore-resource-deletion',
          'ignore_resource_deletion',
          'resource_timer_is_transient_error',
          'fail_on_data_errors',
          'trusted_xds_server',
        ],
      }),
      want: [
        'XI021 xds_servers[0].server_features[0]',
        'XI022 xds_servers[0].server_features[1]',
        'XI022 xds_servers[0].server_features[2]',
        'XI024 xds_servers[0].server_features[3]',
        'XI025 xds_servers[0].server_features[4]',
      ],
    },
    {
      title: 'A88 features while A88 is off',
      bootstrap: server({ server_features: ['fail_on_data_errors', 'ignore_resource_deletion'] }),
      variables: { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'false' },
      want: ['XI023 xds_servers[0].server_features[0]', 'XI024 xds_servers[0].server_features[1]'],
    },
    { title: 'a missing node', bootstrap: { xds_servers: [GOOD] }, want: ['XI026'] },
    { title: 'an empty node id', bootstrap: { xds_servers: [GOOD], node: { ...NODE, id: '' } }, want: ['XI026 node'] },
    {
      title: 'ignored node fields',
      bootstrap: { xds_servers: [GOOD], node: { ...NODE, user_agent_name: 'x' } },
      want: ['XI027 node.user_agent_name'],
    },
    {
      title: 'listener name templates',
      bootstrap: {
        xds_servers: [GOOD],
        node: NODE,
        client_default_listener_resource_name_template: 'xdstp://a/T/x',
        server_listener_resource_name_template: 'fixed',
      },
      want: [
        'XI029 client_default_listener_resource_name_template',
        'XI030 client_default_listener_resource_name_template',
        'XI031 client_default_listener_resource_name_template',
        'XI029 server_listener_resource_name_template',
      ],
    },
    {
      title: 'authorities',
      bootstrap: { xds_servers: [GOOD], node: NODE, authorities: { 'a/b': {}, c: { xds_servers: [GOOD] } } },
      want: ['XI032 authorities["a/b"]', 'XI033 authorities["c"].xds_servers'],
    },
    {
      title: 'authorities without federation',
      bootstrap: { xds_servers: [GOOD], node: NODE, authorities: {} },
      variables: { GRPC_EXPERIMENTAL_XDS_FEDERATION: 'no' },
      want: ['XI034 authorities'],
    },
    {
      title: 'certificate files',
      bootstrap: {
        xds_servers: [GOOD],
        node: NODE,
        certificate_providers: {
          p: {
            plugin_name: 'file_watcher',
            config: {
              certificate_file: '/a/cert',
              private_key_file: '/b/key',
              ca_certificate_file: '',
              refresh_interval: '0.5s',
              spiffe_trust_bundle_map_file: 's',
            },
          },
        },
      },
      files: {
        '/a/cert': { kind: 'readable', expired: '2020-01-01' },
        '/b/key': { kind: 'readable', expired: undefined },
      },
      want: [
        'XI035 certificate_providers["p"].config.certificate_file',
        'XI036 certificate_providers["p"].config.private_key_file',
        'XI035 certificate_providers["p"].config.ca_certificate_file',
        'XI038 certificate_providers["p"].config.refresh_interval',
        'XI037 certificate_providers["p"].config.spiffe_trust_bundle_map_file',
      ],
    },
    {
      title: 'a certificate provider without a refresh interval',
      bootstrap: {
        xds_servers: [GOOD],
        node: NODE,
        certificate_providers: { p: { plugin_name: 'file_watcher', config: { ca_certificate_file: '/ca' } } },
      },
      files: { '/ca': { kind: 'readable', expired: undefined } },
      want: ['XI038 certificate_providers["p"]'],
    },
    {
      title: 'a missing file of TLS credentials',
      bootstrap: server({ channel_creds: [{ type: 'tls', config: { ca_certificate_file: '/no' } }] }),
      want: ['XI035 xds_servers[0].channel_creds[0].config.ca_certificate_file'],
    },
    {
      title: 'a fallback server at the same address',
      bootstrap: { xds_servers: [GOOD, { ...GOOD, server_features: ['trusted_xds_server'] }], node: NODE },
      want: ['XI039 xds_servers[1]', 'XI040 xds_servers[1].server_features'],
    },
    {
      title: 'fallback servers while fallback is off',
      bootstrap: { xds_servers: [GOOD, { ...GOOD, server_uri: '127.0.0.1:2' }], node: NODE },
      variables: { GRPC_EXPERIMENTAL_XDS_FALLBACK: 'false' },
      want: ['XI042 xds_servers[1]'],
    },
  ];
  for (const { title, bootstrap, want, variables, files } of cases)
    it(`checks ${title}`, () => expect(findings(bootstrap, variables, files)).toEqual(want));

  it('has only notes on the output of td-grpc-bootstrap', () => {
    const bootstrap = {
      xds_servers: [
        {
          server_uri: 'dns:///trafficdirector.googleapis.com',
          channel_creds: [{ type: 'google_default' }],
          server_features: ['xds_v3', 'ignore_resource_deletion'],
        },
      ],
      node: { id: 'projects/1/networks/default/nodes/n', cluster: 'cluster', locality: { zone: 'uscentral-5' } },
      server_listener_resource_name_template: 'grpc/server?xds.resource.listening_address=%s',
    };
    const report = validateBootstrap('b.json', new TextEncoder().encode(JSON.stringify(bootstrap)), {
      preset: 'spec',
      file: undefined,
      switches: readSwitches({}, 'spec'),
      variables: {},
      inspectFile: () => ({ kind: 'readable', expired: undefined }),
    });
    expect(report.problems.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      'XI014 note',
      'XI021 note',
      'XI024 note',
    ]);
  });

  it('reports metadata numbers that lose precision', () => {
    const text = `{"xds_servers":[${JSON.stringify(GOOD)}],"node":{"id":"n","locality":{},"metadata":{"a":[9007199254740993, 5, 1.5]}}}`;
    const report = validateBootstrap('b.json', new TextEncoder().encode(text), {
      preset: 'spec',
      file: undefined,
      switches: readSwitches({}, 'spec'),
      variables: {},
      inspectFile: () => ({ kind: 'readable', expired: undefined }),
    });
    expect(report.problems.map((p) => `${p.code} ${p.place.path}`)).toEqual(['XI028 node.metadata.a[0]']);
  });
});

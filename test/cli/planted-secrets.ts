const TYPE = 'type.googleapis.com';
const HCM = `${TYPE}/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`;
const ROUTER = `${TYPE}/envoy.extensions.filters.http.router.v3.Router`;
const RBAC = `${TYPE}/envoy.extensions.filters.http.rbac.v3.RBAC`;
const JWT = `${TYPE}/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication`;
const TLS = `${TYPE}/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext`;
const TYPED_STRUCT = `${TYPE}/xds.type.v3.TypedStruct`;

/** Begins every planted secret. */
export const MARK = 'hush7f3a';

/** A secret that says where it was planted. */
export const planted = (place: string): string => `${MARK}-${place}`;

const pem = (place: string): string =>
  `-----BEGIN PRIVATE KEY-----\n${planted(place).replace('-', '')}\n-----END PRIVATE KEY-----\n`;

const header = (name: string, place: string) => ({ header: { key: name, value: `Bearer ${planted(place)}` } });

const matcher = (name: string, condition: object) => ({ name, ...condition });

const routes = [
  {
    match: {
      prefix: '',
      headers: [
        matcher('authorization', { string_match: { exact: planted('exact'), ignore_case: true } }),
        matcher('x-api-key', { string_match: { safe_regex: { regex: `${planted('regex')}.*` } } }),
        matcher('cookie', { string_match: { prefix: planted('prefix') } }),
        matcher('proxy-authorization', { contains_match: planted('contains') }),
      ],
    },
    route: { cluster: 'blue' },
  },
  {
    match: { prefix: '', headers: [matcher('authorization', { exact_match: planted('old') })] },
    route: { cluster: 'red' },
  },
  { match: { prefix: '' }, route: { cluster: 'blue' } },
];

const rbac = {
  '@type': RBAC,
  rules: {
    policies: {
      p: {
        permissions: [{ header: matcher('authorization', { string_match: { suffix: planted('rbac') } }) }],
        principals: [{ any: true }],
      },
    },
  },
};

const jwt = {
  '@type': JWT,
  providers: {
    p: {
      remote_jwks: {
        http_uri: {
          uri: `https://user:${planted('userinfo')}@keys.example/jwks?token=${planted('query')}`,
          cluster: 'c',
          timeout: '1s',
        },
      },
    },
    q: { local_jwks: { inline_string: planted('jwks') } },
  },
};

const struct = {
  '@type': TYPED_STRUCT,
  type_url: `${TYPE}/acme.Filter`,
  value: { api_key: planted('struct'), nested: [{ Password: planted('nested') }], plain: 'visible' },
};

const optional = (name: string, config: object) => ({ name, is_optional: true, typed_config: config });

/** Resources with a secret in every place, in the form of a scenario; `bad` is rejected and quotes one of them. */
export const RESOURCES = {
  l: {
    '@type': 'LDS',
    name: 'greeter',
    api_listener: {
      api_listener: {
        '@type': HCM,
        http_filters: [
          optional('rbac', rbac),
          optional('jwt', jwt),
          optional('acme', struct),
          { name: 'router', typed_config: { '@type': ROUTER } },
        ],
        rds: { route_config_name: 'r', config_source: { ads: {} } },
      },
    },
  },
  r: {
    '@type': 'RDS',
    name: 'r',
    request_headers_to_add: [header('authorization', 'request-header')],
    response_headers_to_add: [header('Set-Cookie', 'response-header')],
    virtual_hosts: [{ name: 'v', domains: ['*'], routes }],
  },
  blue: {
    '@type': 'CDS',
    name: 'blue',
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} } },
    metadata: { filter_metadata: { acme: { session_token: planted('metadata') } } },
  },
  red: {
    '@type': 'CDS',
    name: 'red',
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} } },
    transport_socket: {
      name: 'tls',
      typed_config: {
        '@type': TLS,
        common_tls_context: {
          tls_certificates: [
            { private_key: { inline_string: pem('key') }, password: { inline_string: planted('password') } },
          ],
        },
      },
    },
  },
  e: {
    '@type': 'EDS',
    cluster_name: 'blue',
    endpoints: [
      {
        locality: { region: 'x' },
        load_balancing_weight: 1,
        lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }],
      },
    ],
  },
};

/** A route configuration that gRPC rejects; RE2 quotes the regular expression. */
export const REJECTED = {
  '@type': 'RDS',
  name: 'bad',
  virtual_hosts: [
    {
      name: 'v',
      domains: ['*'],
      routes: [
        {
          match: {
            prefix: '',
            headers: [matcher('authorization', { string_match: { safe_regex: { regex: `(${planted('rejected')}` } } })],
          },
          route: { cluster: 'blue' },
        },
      ],
    },
  ],
};

const BAD_LISTENER = {
  ...RESOURCES.l,
  name: 'bad',
  api_listener: {
    api_listener: {
      '@type': HCM,
      http_filters: [{ name: 'router', typed_config: { '@type': ROUTER } }],
      rds: { route_config_name: 'bad', config_source: { ads: {} } },
    },
  },
};

export const SCENARIO = JSON.stringify({
  resources: { ...RESOURCES, bad: REJECTED, lbad: BAD_LISTENER },
  servers: {
    p: {
      serves: [
        { type: 'LDS', version: '1', resources: ['l', 'lbad'] },
        { type: 'RDS', version: '1', resources: ['r', 'bad'] },
        { type: 'CDS', version: '1', resources: ['blue', 'red'] },
        { type: 'EDS', version: '1', resources: ['e'] },
      ],
    },
  },
});

/** Adds a node with secrets to a bootstrap. */
export function withNode(bootstrap: string): string {
  const metadata = {
    api_token: planted('node'),
    nested: [{ 'x-api-key': planted('node-nested') }],
    team: 'visible',
  };
  return JSON.stringify({ ...JSON.parse(bootstrap), node: { id: 'me', metadata } });
}

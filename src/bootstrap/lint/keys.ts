import { nearest } from '../../base/nearest.js';
import { finding, type LintFinding, type LintRule } from './finding.js';
import { entries, type Located, objectIn, objectsIn, servers } from './walk.js';

/** The keys that gRPC reads, by the kind of object. */
export const KNOWN_KEYS = {
  top: [
    'xds_servers',
    'node',
    'authorities',
    'client_default_listener_resource_name_template',
    'server_listener_resource_name_template',
    'certificate_providers',
    'allowed_grpc_services',
  ],
  server: ['server_uri', 'channel_creds', 'call_creds', 'server_features'],
  creds: ['type', 'config'],
  node: ['id', 'cluster', 'locality', 'metadata'],
  locality: ['region', 'zone', 'sub_zone'],
  authority: ['client_listener_resource_name_template', 'xds_servers', 'fallback_on_reachability_only'],
  provider: ['plugin_name', 'config'],
};

/** Common mistakes that are not similar in spelling to the key that gRPC reads. */
const COMMON_MISTAKES: Record<string, string> = {
  server_url: 'server_uri',
  channel_credentials: 'channel_creds',
  call_credentials: 'call_creds',
  authority: 'authorities',
  features: 'server_features',
};

/** Fields of the node message that the client sets itself. */
const SET_BY_CLIENT = [
  'user_agent_name',
  'user_agent_version',
  'user_agent_build_version',
  'client_features',
  'build_version',
  'extensions',
  'listening_addresses',
  'dynamic_parameters',
];

/** XI012: a key that gRPC ignores and that is similar to one that it reads. */
export const misspeltKeys: LintRule = ({ root }) => {
  const places: [Located[], readonly string[]][] = [
    [root.kind === 'object' ? [{ node: root, steps: [] }] : [], KNOWN_KEYS.top],
    [servers(root), KNOWN_KEYS.server],
    [
      servers(root).flatMap(({ node, steps }) =>
        objectsIn(node, 'channel_creds').map((c) => ({ ...c, steps: [...steps, ...c.steps] })),
      ),
      KNOWN_KEYS.creds,
    ],
    [nodeOf(root), KNOWN_KEYS.node],
    [
      nodeOf(root).flatMap(({ node }) => located(objectIn(node, 'locality'), ['node', 'locality'])),
      KNOWN_KEYS.locality,
    ],
    [entries(root, 'authorities'), KNOWN_KEYS.authority],
    [entries(root, 'certificate_providers'), KNOWN_KEYS.provider],
  ];
  return places.flatMap(([objects, known]) => objects.flatMap((object) => misspeltIn(object, known)));
};

function misspeltIn({ node, steps }: Located, known: readonly string[]): LintFinding[] {
  return [...node.fields.keys()].flatMap((key) => {
    if (known.includes(key)) return [];
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
    const meant = known.find((name) => name === snake || name === COMMON_MISTAKES[snake]) ?? nearest(snake, known);
    if (meant === undefined || node.fields.has(meant)) return [];
    return [finding('XI012', [...steps, key], `gRPC ignores "${key}"; did you mean "${meant}"?`)];
  });
}

/** XI027: node fields that the client sets itself. */
export const ignoredNodeFields: LintRule = ({ root }) =>
  nodeOf(root).flatMap(({ node }) =>
    SET_BY_CLIENT.filter((key) => node.fields.has(key)).map((key) =>
      finding('XI027', ['node', key], `gRPC ignores node.${key}: the client sets it itself`),
    ),
  );

function nodeOf(root: Located['node'] | Parameters<typeof entries>[0]): Located[] {
  return root.kind === 'object' ? located(objectIn(root, 'node'), ['node']) : [];
}

function located(node: Located['node'] | undefined, steps: string[]): Located[] {
  return node === undefined ? [] : [{ node, steps }];
}

import { finding, type LintContext, type LintFinding, type LintRule } from './finding.js';
import { entries, type Located, objectIn, objectsIn, servers, stringIn } from './walk.js';

const FILE_KEYS = [
  'certificate_file',
  'private_key_file',
  'ca_certificate_file',
  'spiffe_bundle_map_file',
  'jwt_token_file',
];

/** XI035: files that are missing or unreadable, or contain an expired certificate. */
export const certificateFiles: LintRule = (context) =>
  fileConfigs(context).flatMap((config) => FILE_KEYS.flatMap((key) => aboutFile(config, key, context)));

function aboutFile({ node, steps }: Located, key: string, { inspectFile }: LintContext): LintFinding[] {
  const path = stringIn(node, key);
  if (path === undefined) return [];
  const at = [...steps, key];
  if (path === '') return [finding('XI035', at, 'the file name is empty')];
  const state = inspectFile(path);
  if (state.kind === 'unchecked') return [];
  if (state.kind === 'unreadable') return [finding('XI035', at, `${path}: ${state.reason}`)];
  return state.expired === undefined
    ? []
    : [finding('XI035', at, `${path}: the certificate expired on ${state.expired}`)];
}

/** XI036: grpc-go requires certificate and key in one directory. */
export const sameFolder: LintRule = (context) =>
  fileConfigs(context).flatMap(({ node, steps }) => {
    const [certificate, key] = [stringIn(node, 'certificate_file'), stringIn(node, 'private_key_file')];
    if (!certificate || !key || folderOf(certificate) === folderOf(key)) return [];
    const message = 'certificate and key are in different directories: grpc-go rejects that';
    return [finding('XI036', [...steps, 'private_key_file'], message)];
  });

/** XI037: the SPIFFE bundle map has different keys in C-core and in Go and Java. */
export const spiffeKey: LintRule = (context) =>
  fileConfigs(context).flatMap(({ node, steps }) => {
    if (!node.fields.has('spiffe_trust_bundle_map_file')) return [];
    const message = 'Go and Java read this key, but C-core reads "spiffe_bundle_map_file"';
    return [finding('XI037', [...steps, 'spiffe_trust_bundle_map_file'], message)];
  });

/** XI038: a refresh interval that is missing or too short. */
export const refreshInterval: LintRule = ({ root, bootstrap }) => {
  const short = [...(bootstrap?.certificateProviders ?? [])].filter(
    ([, provider]) => provider.files !== undefined && provider.files.refreshIntervalMs < 1000,
  );
  const tooOften = 'gRPC reads the files more than once per second';
  const providers = short.map(([name]) =>
    finding('XI038', ['certificate_providers', name, 'config', 'refresh_interval'], tooOften, 'warning'),
  );
  const missing = entries(root, 'certificate_providers').flatMap(({ node, steps }) =>
    objectIn(node, 'config')?.fields.has('refresh_interval')
      ? []
      : [finding('XI038', steps, 'no refresh_interval: gRPC uses 600 s, but grpc-js-xds requires the field')],
  );
  return [...providers, ...missing];
};

/** Returns the configs that name files: those of TLS and token credentials, and of certificate providers. */
function fileConfigs({ root }: LintContext): Located[] {
  const creds = servers(root).flatMap(({ node, steps }) =>
    ['channel_creds', 'call_creds'].flatMap((key) =>
      objectsIn(node, key).map((c) => ({ ...c, steps: [...steps, ...c.steps] })),
    ),
  );
  return [...creds, ...entries(root, 'certificate_providers')].flatMap(({ node, steps }) => {
    const config = objectIn(node, 'config');
    return config === undefined ? [] : [{ node: config, steps: [...steps, 'config'] }];
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

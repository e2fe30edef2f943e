import { isSecretName, REDACTED } from '../../base/secret-name.js';
import { isEntry, type MetadataPart } from '../../bootstrap/node-metadata.js';
import { DEFAULT_PRESET } from '../../bootstrap/preset-names.js';
import type { RerunCommand } from '../../view/next-commands.js';
import type { GivenNames, Values } from '../option.js';
import type { connectingOptions } from '../options/connecting.js';

/** The flags that select the servers, the credentials and the node. */
type RerunInput = Pick<
  Values<typeof connectingOptions> & GivenNames,
  | 'context'
  | 'given'
  | 'bootstrap'
  | 'server'
  | 'kube'
  | 'kubeContext'
  | 'kubeconfig'
  | 'plaintext'
  | 'insecure'
  | 'cacert'
  | 'cert'
  | 'key'
  | 'authority'
  | 'tokenFile'
  | 'xdsHeader'
  | 'nodeId'
  | 'nodeCluster'
  | 'nodeLocality'
  | 'nodeMetadata'
  | 'userAgent'
  | 'defaultAuthority'
  | 'as'
  | 'showSecrets'
>;

/** The values of `--node-metadata`. A printed command does not repeat secrets. */
function metadataTexts(parts: readonly MetadataPart[]): string[] {
  const entries = parts.filter(isEntry);
  const isSimple = ([key, value]: readonly [string, unknown]): boolean =>
    typeof value === 'string' && !/[,]/.test(`${key}${value}`) && !/[=@{]/.test(key.slice(0, 1)) && !key.includes('=');
  const pairs = entries.filter(isSimple).map(([key, value]) => `${key}=${isSecretName(key) ? REDACTED : value}`);
  const others = entries.filter((entry) => !isSimple(entry));
  const json = JSON.stringify(Object.fromEntries(others), (key, value) => (isSecretName(key) ? REDACTED : value));
  return [
    ...parts.flatMap((part) => (isEntry(part) ? [] : [`@${part.file}`])),
    ...(pairs.length === 0 ? [] : [pairs.join(',')]),
    ...(others.length === 0 ? [] : [json]),
  ];
}

/** The command line that connects to the same control plane. The flags that a context gives are not repeated. */
export function rerunCommand(input: RerunInput, program: string): RerunCommand {
  const { context, given, as, showSecrets } = input;
  const header = ([name, value]: readonly [string, string]): string => `${name}: ${showSecrets ? value : REDACTED}`;
  const valued: [string, string | undefined][] = [
    ['context', context],
    ['bootstrap', input.bootstrap],
    ['server', input.server],
    ['kube', input.kube],
    ['kube-context', input.kubeContext],
    ['kubeconfig', input.kubeconfig],
    ['cacert', input.cacert],
    ['cert', input.cert],
    ['key', input.key],
    ['authority', input.authority],
    ['token-file', input.tokenFile],
    ...input.xdsHeader.map((one): [string, string] => ['xds-header', header(one)]),
    ['node-id', input.nodeId],
    ['node-cluster', input.nodeCluster],
    ['node-locality', input.nodeLocality],
    ...metadataTexts(input.nodeMetadata).map((one): [string, string] => ['node-metadata', one]),
    ['user-agent', input.userAgent],
    ['default-authority', input.defaultAuthority],
    ['as', context === undefined && as === DEFAULT_PRESET ? undefined : as],
  ];
  const flags = valued.flatMap(([flag, value]) =>
    value === undefined || !given.has(flag) ? [] : [SHORT[flag] ?? `--${flag}`, value],
  );
  const switches = (['plaintext', 'insecure'] as const).filter((flag) => input[flag] && given.has(flag));
  return { program, flags: [...flags, ...switches.map((flag) => `--${flag}`)] };
}

const SHORT: Readonly<Record<string, string>> = { bootstrap: '-b', 'xds-header': '-H' };

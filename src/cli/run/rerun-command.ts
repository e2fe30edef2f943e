import { shownValue } from '../../base/secret-name.js';
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
  | 'plaintext'
  | 'cacert'
  | 'cert'
  | 'key'
  | 'nodeId'
  | 'nodeMetadata'
  | 'userAgent'
  | 'defaultAuthority'
  | 'as'
>;

/** A printed command does not repeat secrets. */
function metadataPair([key, value]: readonly [string, string]): string {
  return `${key}=${shownValue(key, value)}`;
}

/** The command line that connects to the same control plane. The flags that a context gives are not repeated. */
export function rerunCommand(input: RerunInput, program: string): RerunCommand {
  const { context, given, nodeMetadata, as } = input;
  const metadata = nodeMetadata.map(metadataPair).join(',');
  const valued: [string, string | undefined][] = [
    ['context', context],
    ['bootstrap', input.bootstrap],
    ['server', input.server],
    ['cacert', input.cacert],
    ['cert', input.cert],
    ['key', input.key],
    ['node-id', input.nodeId],
    ['node-metadata', metadata],
    ['user-agent', input.userAgent],
    ['default-authority', input.defaultAuthority],
    ['as', context === undefined && as === DEFAULT_PRESET ? undefined : as],
  ];
  const flags = valued.flatMap(([flag, value]) =>
    value === undefined || !given.has(flag) ? [] : [flag === 'bootstrap' ? '-b' : `--${flag}`, value],
  );
  return { program, flags: input.plaintext && given.has('plaintext') ? [...flags, '--plaintext'] : flags };
}

import { shownValue } from '../../base/secret-name.js';
import { DEFAULT_PRESET } from '../../bootstrap/preset-names.js';
import type { RerunCommand } from '../../view/next-commands.js';
import type { Values } from '../option.js';
import type { connectingOptions } from '../options/connecting.js';

/** The flags that select the servers, the credentials and the node. */
type RerunInput = Pick<
  Values<typeof connectingOptions>,
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

/** The command line that connects to the same control plane. Settings from the environment need not be repeated. */
export function rerunCommand(input: RerunInput, program: string): RerunCommand {
  const { bootstrap, server, plaintext, cacert, cert, key, nodeId, nodeMetadata, userAgent, defaultAuthority } = input;
  const valued: [string, string | undefined][] = [
    ['-b', bootstrap],
    ['--server', server],
    ['--cacert', cacert],
    ['--cert', cert],
    ['--key', key],
    ['--node-id', nodeId],
    ['--node-metadata', nodeMetadata.length === 0 ? undefined : nodeMetadata.map(metadataPair).join(',')],
    ['--user-agent', userAgent],
    ['--default-authority', defaultAuthority],
    ['--as', input.as === DEFAULT_PRESET ? undefined : input.as],
  ];
  const flags = valued.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return { program, flags: plaintext ? [...flags, '--plaintext'] : flags };
}

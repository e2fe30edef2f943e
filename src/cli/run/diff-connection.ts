import { UsageError } from '../../base/failure.js';
import type { Side } from '../../inspect/diff-sides/side.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { DiffInput } from '../commands/diff.js';
import type { ConnectInput } from './connect.js';

/** The settings of a side that connects to a control plane, without its target. */
export type SideConnection = Omit<ConnectInput, 'targets'> & { context: string | undefined };

/** The settings with which a side connects as a gRPC program would. A flag that is given twice has one value for each side. */
export async function connectionOf(
  input: DiffInput,
  sides: readonly Side[],
  index: number,
  env: CliEnvironment,
): Promise<SideConnection> {
  const own = <T>(values: readonly T[]): T | undefined => values[index] ?? values[0];
  const [bootstrap, server, context] = [own(input.bootstrap), own(input.server), own(input.context)];
  const kube = own(input.kube);
  const tls = (server ?? kube) === undefined && sides.some(usesTlsFlags) ? withoutTlsFlags(input) : {};
  const settings = { ...input, ...tls, bootstrap, server, kube, context, record: undefined, verbose: false };
  if (context === undefined) return settings;
  return (await import('./context.js')).withContext(settings, context, env);
}

const TLS_FLAGS = ['plaintext', 'insecure', 'cacert', 'cert', 'key', 'authority', 'token-file', 'xds-header'] as const;

/** Without `--server`, TLS flags are for the other side: the bootstrap or the context has the credentials of its servers. */
function withoutTlsFlags({ given }: DiffInput) {
  const others = [...given].filter((name) => !TLS_FLAGS.some((flag) => flag === name));
  const none = { plaintext: false, insecure: false, cacert: undefined, cert: undefined, key: undefined };
  const metadata = { authority: undefined, tokenFile: undefined, xdsHeader: [] };
  return { ...none, ...metadata, given: new Set(others) };
}

/** The settings with which a side reads a process over CSDS. */
export async function csdsSettings(
  address: string,
  input: DiffInput,
  index: number,
  env: CliEnvironment,
): Promise<DiffInput> {
  const context = input.context[index] ?? input.context[0];
  if (context === undefined) return input;
  const { withCsdsContext } = await import('./context.js');
  return { ...input, ...withCsdsContext({ ...input, kube: undefined, addresses: [address] }, context, env), kube: [] };
}

function usesTlsFlags({ kind }: Side): boolean {
  return kind === 'csds' || kind === 'url';
}

/** Rejects flags for sides that do not exist. */
export function checkConnections(input: DiffInput, sides: readonly Side[]): void {
  const { bootstrap, server, kube, context } = input;
  const targets = sides.filter(({ kind }) => kind === 'target').length;
  for (const [flag, { length }] of Object.entries({
    '-b': bootstrap,
    '--server': server,
    '--kube': kube,
    '--context': context,
  })) {
    if (length > 2) throw new UsageError(`${flag} is given ${length} times: give it once, or once for each side`);
    const few = targets === 1 ? 'only one side is' : 'no side is';
    if (length === 2 && targets < 2) throw new UsageError(`${flag} is given twice, but ${few} a target: give it once`);
  }
  const values = { ...input, 'token-file': input.tokenFile, 'xds-header': input.xdsHeader[0] };
  const useless = TLS_FLAGS.find((flag) => values[flag]);
  const named = server.length + kube.length + context.length;
  if (useless !== undefined && named === 0 && !sides.some(usesTlsFlags))
    throw new UsageError(`--${useless} requires --server, csds: or a URL`);
}

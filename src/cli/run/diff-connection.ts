import { UsageError } from '../../base/failure.js';
import type { Side } from '../../inspect/diff-sides/side.js';
import type { DiffInput } from '../commands/diff.js';
import type { ConnectInput } from './connect.js';

/** The settings with which a side connects as a gRPC program would. A flag that is given twice has one value for each side. */
export function connectionOf(input: DiffInput, sides: readonly Side[], index: number): Omit<ConnectInput, 'targets'> {
  const { bootstrap, server } = input;
  const tls = server.length === 0 && sides.some(usesTlsFlags) ? NO_TLS_FLAGS : {};
  return {
    ...input,
    ...tls,
    bootstrap: bootstrap[index] ?? bootstrap[0],
    server: server[index] ?? server[0],
    record: undefined,
  };
}

/** Without `--server`, the bootstrap has the credentials of the servers. */
const NO_TLS_FLAGS = { plaintext: false, cacert: undefined, cert: undefined, key: undefined };

function usesTlsFlags({ kind }: Side): boolean {
  return kind === 'csds' || kind === 'url';
}

/** Rejects flags for sides that do not exist. */
export function checkConnections(input: DiffInput, sides: readonly Side[]): void {
  const { bootstrap, server } = input;
  const targets = sides.filter(({ kind }) => kind === 'target').length;
  for (const [flag, { length }] of Object.entries({ '-b': bootstrap, '--server': server })) {
    if (length > 2) throw new UsageError(`${flag} is given ${length} times: give it once, or once for each side`);
    const few = targets === 1 ? 'only one side is' : 'no side is';
    if (length === 2 && targets < 2) throw new UsageError(`${flag} is given twice, but ${few} a target: give it once`);
  }
  const useless = (['plaintext', 'insecure', 'cacert', 'cert', 'key'] as const).find((flag) => input[flag]);
  if (useless !== undefined && server.length === 0 && !sides.some(usesTlsFlags))
    throw new UsageError(`--${useless} requires --server, csds: or a URL`);
}

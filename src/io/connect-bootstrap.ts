import { UsageError } from '../base/failure.js';
import { type NodeChanges, type QuickServer, quickBootstrap, withNode } from '../bootstrap/quick-bootstrap.js';
import type { Switches } from '../bootstrap/switches.js';
import type { ClientSetup } from '../inspect/source.js';
import { loadBootstrap, type ProcessInputs } from './bootstrap-source.js';
import { mustBeReadable } from './file-problem.js';

/** The flags that decide about the bootstrap. */
export interface BootstrapInput extends Omit<QuickServer, 'server'>, NodeChanges {
  bootstrap: string | undefined;
  server: string | undefined;
}

type FoundBootstrap = Pick<ClientSetup, 'origin' | 'bootstrap'>;

/** The bootstrap to connect with: a file, the environment's, or one made of `--server`; with what flags change in it. */
export async function connectBootstrap(
  input: BootstrapInput,
  switches: Switches,
  out: { remark(sentence: string): void },
  env: ProcessInputs,
): Promise<FoundBootstrap> {
  const { server, nodeId } = input;
  const { origin, bootstrap } =
    server === undefined ? await fromSource(input, switches, env) : fromServer({ ...input, server }, switches);
  const { id = '' } = bootstrap.node ?? {};
  // Control planes serve by node: whoever changes it sees that.
  if (nodeId !== undefined && id !== '') out.remark(`node.id is ${nodeId} instead of ${id}`);
  return { origin, bootstrap: withNode(bootstrap, input) };
}

async function fromSource(input: BootstrapInput, switches: Switches, env: ProcessInputs): Promise<FoundBootstrap> {
  const useless = (['plaintext', 'cacert', 'cert', 'key'] as const).find((flag) => input[flag]);
  if (useless !== undefined) throw new UsageError(`--${useless} requires --server`);
  return await loadBootstrap(input.bootstrap, switches, env, '; --server host:port does without one');
}

function fromServer(input: BootstrapInput & { server: string }, switches: Switches): FoundBootstrap {
  if (input.bootstrap !== undefined) throw new UsageError('--server takes the place of --bootstrap: give one');
  const bootstrap = quickBootstrap(input, switches);
  for (const path of [input.cacert, input.cert, input.key]) if (path !== undefined) mustBeReadable(path);
  return { origin: `--server ${input.server}`, bootstrap };
}

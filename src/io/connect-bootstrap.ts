import { UsageError } from '../base/failure.js';
import { type NodeChanges, type QuickServer, quickBootstrap, withNode } from '../bootstrap/quick-bootstrap.js';
import type { Preset, Switches } from '../bootstrap/switches.js';
import type { ClientSetup } from '../inspect/source.js';
import { loadBootstrap, type ProcessInputs } from './bootstrap-source.js';
import { mustBeReadable } from './file-problem.js';

/** The flags that select the bootstrap. */
export interface BootstrapInput extends Omit<QuickServer, 'server'>, NodeChanges {
  bootstrap: string | undefined;
  server: string | undefined;
  /** The context that gives these settings: `context prod (/path/config.yaml)`. */
  origin?: string | undefined;
}

type FoundBootstrap = Pick<ClientSetup, 'origin' | 'bootstrap' | 'text'>;

/** The bootstrap from a file, the environment or `--server`, with the changes that flags make to its node. */
export async function connectBootstrap(
  input: BootstrapInput,
  preset: Preset,
  switches: Switches,
  out: { remark(sentence: string): void },
  env: ProcessInputs,
): Promise<FoundBootstrap> {
  const { server, nodeId } = input;
  const { bootstrap, ...found } =
    server === undefined ? await fromSource(input, preset, switches, env) : fromServer({ ...input, server }, switches);
  const { id = '' } = bootstrap.node ?? {};
  // Control planes select resources by node, so the output states that it differs from the bootstrap.
  if (nodeId !== undefined && id !== '') out.remark(`using node.id ${nodeId} instead of ${id}`);
  return { ...found, origin: input.origin ?? found.origin, bootstrap: withNode(bootstrap, input) };
}

async function fromSource(
  input: BootstrapInput,
  preset: Preset,
  switches: Switches,
  env: ProcessInputs,
): Promise<FoundBootstrap> {
  const useless = (['plaintext', 'cacert', 'cert', 'key'] as const).find((flag) => input[flag]);
  if (useless !== undefined) throw new UsageError(`--${useless} requires --server`);
  return await loadBootstrap(input.bootstrap, preset, switches, env, '; --server host:port connects without one');
}

function fromServer(input: BootstrapInput & { server: string }, switches: Switches): FoundBootstrap {
  if (input.bootstrap !== undefined) throw new UsageError('--server excludes --bootstrap');
  const bootstrap = quickBootstrap(input, switches);
  for (const path of [input.cacert, input.cert, input.key]) if (path !== undefined) mustBeReadable(path);
  return { origin: `--server ${input.server}`, bootstrap };
}

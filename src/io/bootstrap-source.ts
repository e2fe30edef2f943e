import { InputProblem } from '../base/input-problem.js';
import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { readBootstrap } from '../bootstrap/read-bootstrap.js';
import type { Switches } from '../bootstrap/switches.js';
import type { CliEnvironment } from './environment.js';
import { unreadable } from './file-problem.js';
import { MAX_SETTINGS_BYTES, readInput, UnsuitableFile } from './input-file.js';

/** The inputs of a process: stdin and environment variables. */
export type ProcessInputs = Pick<CliEnvironment, 'readStdin' | 'variables' | 'program'>;

/** The origin and the text of a bootstrap, or C-core's error if it cannot be read. */
type BootstrapSource =
  | { kind: 'text'; name: string; bytes: Uint8Array }
  | { kind: 'unreadable'; name: string; error: string; explanation: string };

/** Finds the bootstrap: the command line first, then GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG, as in gRPC. */
export async function findBootstrap(typed: string | undefined, env: ProcessInputs): Promise<BootstrapSource> {
  if (typed === '-') return await readFrom('stdin', 'stdin', env.readStdin(MAX_SETTINGS_BYTES));
  if (typed !== undefined) return await readFile(typed, typed);
  const { GRPC_XDS_BOOTSTRAP: path, GRPC_XDS_BOOTSTRAP_CONFIG: config } = env.variables;
  if (path !== undefined) return await readFile(path, `GRPC_XDS_BOOTSTRAP=${path}`);
  if (config !== undefined)
    return { kind: 'text', name: 'GRPC_XDS_BOOTSTRAP_CONFIG', bytes: new TextEncoder().encode(config) };
  return {
    kind: 'unreadable',
    name: 'none',
    error: 'Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined',
    explanation:
      'no bootstrap: name a file on the command line, or set GRPC_XDS_BOOTSTRAP (a file) or GRPC_XDS_BOOTSTRAP_CONFIG (its content)',
  };
}

/** Loads a valid bootstrap. `hint` is appended to the error if there is none. */
export async function loadBootstrap(
  typed: string | undefined,
  switches: Switches,
  env: ProcessInputs,
  hint = '',
): Promise<{ origin: string; bootstrap: Bootstrap }> {
  const source = await findBootstrap(typed, env);
  if (source.kind === 'unreadable') throw new InputProblem(`${source.explanation}${hint}`);
  const read = readBootstrap(source.bytes, switches);
  if (read.ok) return { origin: source.name, bootstrap: read.bootstrap };
  const see = `see: ${env.program} bootstrap validate ${typed ?? ''}`.trimEnd();
  throw new InputProblem(`${source.name}: gRPC rejects this bootstrap: ${read.message}; ${see}`);
}

function readFile(path: string, name: string): Promise<BootstrapSource> {
  return readFrom(path, name, readInput(path, MAX_SETTINGS_BYTES));
}

async function readFrom(path: string, name: string, bytes: Promise<Uint8Array>): Promise<BootstrapSource> {
  try {
    return { kind: 'text', name, bytes: await bytes };
  } catch (error) {
    // C-core would read this file.
    if (error instanceof UnsuitableFile) throw unreadable(path, error);
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message;
    return {
      kind: 'unreadable',
      name,
      error: `Failed to load file: ${path} due to error(fdopen): ${reason}`,
      explanation: `${path === '' ? 'a file with an empty name' : path} cannot be read: ${reason.toLowerCase()}`,
    };
  }
}

/** The messages of the C library, which C-core quotes. */
const REASONS: Record<string, string> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
};

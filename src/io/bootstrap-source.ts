import { readFileSync } from 'node:fs';
import { InputProblem } from '../base/input-problem.js';
import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { readBootstrap } from '../bootstrap/read-bootstrap.js';
import type { Switches } from '../bootstrap/switches.js';
import type { CliEnvironment } from './environment.js';

/** What a process gets from outside. */
export type ProcessInputs = Pick<CliEnvironment, 'readStdin' | 'variables' | 'program'>;

/** Where a bootstrap came from and its text; or what C-core says where there is none. */
type BootstrapSource =
  | { kind: 'text'; name: string; bytes: Uint8Array }
  | { kind: 'unreadable'; name: string; error: string; explanation: string };

/** The sources in gRPC's order: what was typed, then GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG. */
export async function findBootstrap(typed: string | undefined, env: ProcessInputs): Promise<BootstrapSource> {
  if (typed === '-') return { kind: 'text', name: 'stdin', bytes: await env.readStdin() };
  if (typed !== undefined) return readFile(typed, typed);
  const { GRPC_XDS_BOOTSTRAP: path, GRPC_XDS_BOOTSTRAP_CONFIG: config } = env.variables;
  if (path !== undefined) return readFile(path, `GRPC_XDS_BOOTSTRAP=${path}`);
  if (config !== undefined)
    return { kind: 'text', name: 'GRPC_XDS_BOOTSTRAP_CONFIG', bytes: new TextEncoder().encode(config) };
  return {
    kind: 'unreadable',
    name: 'none',
    error: 'Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined',
    explanation:
      'no bootstrap: no file was named on the command line, and neither GRPC_XDS_BOOTSTRAP (a file) nor GRPC_XDS_BOOTSTRAP_CONFIG (the text) is set',
  };
}

/** A bootstrap that gRPC accepts, and where it came from; `hint`: what to do without one. */
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

function readFile(path: string, name: string): BootstrapSource {
  try {
    return { kind: 'text', name, bytes: readFileSync(path) };
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message;
    return {
      kind: 'unreadable',
      name,
      error: `Failed to load file: ${path} due to error(fdopen): ${reason}`,
      explanation: `${path === '' ? 'a file with an empty name' : path} cannot be read: ${reason.toLowerCase()}`,
    };
  }
}

/** As the C library words them. */
const REASONS: Record<string, string> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
};

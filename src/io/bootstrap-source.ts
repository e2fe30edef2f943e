import { InputProblem } from '../base/input-problem.js';
import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { type BootstrapReader, bootstrapReader } from '../bootstrap/readers/readers.js';
import type { Preset, Switches } from '../bootstrap/switches.js';
import type { BootstrapText } from '../inspect/source.js';
import type { CliEnvironment } from './environment.js';
import { withoutFileGuard } from './file-guard.js';
import { unreadable } from './file-problem.js';
import { MAX_SETTINGS_BYTES, readInput } from './input-file.js';
import { UnsuitableFile } from './unsuitable-file.js';

/** The inputs of a process: stdin and environment variables. */
export type ProcessInputs = Pick<CliEnvironment, 'readStdin' | 'variables' | 'program'>;

/** The origin and the text of a bootstrap, or the client's error if it cannot be read. */
type BootstrapSource =
  | { kind: 'text'; name: string; file: string | undefined; bytes: Uint8Array }
  | { kind: 'unreadable'; name: string; error: string; explanation: string };

/** Finds the bootstrap: the command line first, then GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG, as in gRPC. */
export async function findBootstrap(
  typed: string | undefined,
  preset: Preset,
  env: ProcessInputs,
): Promise<BootstrapSource> {
  const reader = bootstrapReader(preset);
  if (typed === '-') return await readFrom(reader, undefined, 'stdin', env.readStdin(MAX_SETTINGS_BYTES));
  if (typed !== undefined) return await readFile(reader, typed, typed);
  const variable = (name: string): string | undefined => {
    const value = env.variables[name];
    return value === '' && reader.ignoresEmptyVariables ? undefined : value;
  };
  const path = variable('GRPC_XDS_BOOTSTRAP');
  const config = variable('GRPC_XDS_BOOTSTRAP_CONFIG');
  if (path !== undefined) return await readFile(reader, path, `GRPC_XDS_BOOTSTRAP=${path}`);
  if (config !== undefined)
    return {
      kind: 'text',
      name: 'GRPC_XDS_BOOTSTRAP_CONFIG',
      file: undefined,
      bytes: new TextEncoder().encode(config),
    };
  return {
    kind: 'unreadable',
    name: 'none',
    error: reader.missing,
    explanation:
      'no bootstrap: name a file on the command line, or set GRPC_XDS_BOOTSTRAP (a file) or GRPC_XDS_BOOTSTRAP_CONFIG (its content)',
  };
}

/** Loads a valid bootstrap. `hint` is appended to the error if there is none. */
export async function loadBootstrap(
  typed: string | undefined,
  preset: Preset,
  switches: Switches,
  env: ProcessInputs,
  hint = '',
): Promise<{ origin: string; bootstrap: Bootstrap; text: BootstrapText }> {
  const source = await withoutFileGuard(() => findBootstrap(typed, preset, env));
  if (source.kind === 'unreadable') throw new InputProblem(`${source.explanation}${hint}`);
  const read = bootstrapReader(preset).read(source.bytes, switches, source.file);
  const { bytes, file } = source;
  const text = { bytes, file, isNamed: typed !== undefined };
  if (read.ok) return { origin: source.name, bootstrap: read.bootstrap, text };
  const see = `see: ${env.program} bootstrap validate ${typed ?? ''}`.trimEnd();
  throw new InputProblem(
    `${source.name}: ${bootstrapReader(preset).client} rejects this bootstrap: ${read.message}; ${see}`,
  );
}

function readFile(reader: BootstrapReader, path: string, name: string): Promise<BootstrapSource> {
  return readFrom(reader, path, name, readInput(path, MAX_SETTINGS_BYTES));
}

async function readFrom(
  reader: BootstrapReader,
  file: string | undefined,
  name: string,
  bytes: Promise<Uint8Array>,
): Promise<BootstrapSource> {
  const path = file ?? 'stdin';
  try {
    return { kind: 'text', name, file, bytes: await bytes };
  } catch (error) {
    // gRPC would read this file.
    if (error instanceof UnsuitableFile) throw unreadable(path, error);
    const { code = '', message } = error as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? message;
    return {
      kind: 'unreadable',
      name,
      error: reader.unreadable(path, code, message),
      explanation: `${path === '' ? 'a file with an empty name' : path} cannot be read: ${reason}`,
    };
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

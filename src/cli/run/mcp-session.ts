import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import { isEntry, type MetadataPart } from '../../bootstrap/node-metadata.js';
import { readSwitches } from '../../bootstrap/switches.js';
import { connectBootstrap } from '../../io/connect-bootstrap.js';
import { findContext } from '../../io/contexts-file.js';
import type { CliEnvironment } from '../../io/environment.js';
import { FileGuard } from '../../io/file-guard.js';
import { reason } from '../../io/file-problem.js';
import { readMetadataFile } from '../../io/metadata-file.js';
import type { DeclaredCommand } from '../command.js';
import type { McpInput } from '../commands/mcp.js';
import type { Typed } from '../option.js';
import type { Printer } from '../printer.js';
import { sessionEnvironment } from './mcp-call.js';
import type { OfferedContexts } from './mcp-schema.js';

/** What the user has given at start: nothing of it can be changed by a call. */
export interface McpSession extends OfferedContexts {
  /** The real path of the folder with the files that tools may read. */
  root: string;
  guard: FileGuard;
  env: CliEnvironment;
  /** The flags that name the control plane, unless a call names a context. */
  flags: Readonly<Record<string, Typed>>;
  /** The flags of the client, for every control plane. */
  clientFlags: Readonly<Record<string, Typed>>;
  /** Whether there is a control plane to connect to. */
  hasControlPlane: boolean;
}

const BOOTSTRAP_VARIABLES = ['GRPC_XDS_BOOTSTRAP', 'GRPC_XDS_BOOTSTRAP_CONFIG'];

/** Checks the flags, so that a mistake is found at start and not by the first call. */
export async function openSession(input: McpInput, out: Printer): Promise<McpSession> {
  const env = sessionEnvironment(out.env);
  if (input.bootstrap === '-') throw new UsageError('-b -: stdin is used by the protocol: name a file');
  const root = rootOf(input.root ?? '.');
  const { context: contexts, bootstrap, server, kube } = input;
  for (const name of contexts) findContext(name, env);
  const hasFlags = (bootstrap ?? server ?? kube) !== undefined;
  // As for other commands, a context takes precedence over these variables.
  if (contexts.length > 0) for (const name of BOOTSTRAP_VARIABLES) delete env.variables[name];
  const { GRPC_XDS_BOOTSTRAP: file, GRPC_XDS_BOOTSTRAP_CONFIG: config } = env.variables;
  const hasDefault = hasFlags || (file ?? config) !== undefined;
  const flags = connectionFlagsOf(input);
  if (hasDefault || Object.keys(flags).length > 0) await checkBootstrap(input, env, out);
  const metadata = await metadataOf(input.nodeMetadata);
  return {
    root,
    guard: new FileGuard(root),
    env,
    contexts,
    needsContext: contexts.length > 1 && !hasDefault,
    hasControlPlane: hasDefault || contexts.length > 0,
    flags,
    clientFlags: present({
      'node-id': input.nodeId,
      'node-cluster': input.nodeCluster,
      'node-locality': input.nodeLocality,
      'node-metadata': metadata,
      'user-agent': input.userAgent,
      'default-authority': input.defaultAuthority,
      as: input.given.has('as') ? input.as : undefined,
    }),
  };
}

/** The flags of a call: those that its command has. `contexts` are the ones that the call names; a `file` replaces the others. */
export function connectionFlags(
  session: McpSession,
  { options }: DeclaredCommand,
  contexts: readonly string[],
  file: Typed,
): Record<string, Typed> {
  const { bootstrap, server, kube } = session.flags;
  const usesOnlyContext = contexts.length === 0 && (bootstrap ?? server ?? kube ?? file) === undefined;
  const used = usesOnlyContext && session.contexts.length === 1 ? session.contexts : contexts;
  const connection = used.length > 0 ? { context: used } : file === undefined ? session.flags : {};
  const all = { ...session.clientFlags, ...connection };
  const fitting = Object.entries(all).flatMap(([name, value]): [string, Typed][] => {
    const option = options[name];
    // The `--as` of replay is a what-if change: it has no default.
    if (option === undefined || (name === 'as' && option.default === undefined)) return [];
    if (option.kind === 'list') return [[name, Array.isArray(value) ? value : [String(value)]]];
    return [[name, name === 'context' && Array.isArray(value) ? value[0] : value]];
  });
  return Object.fromEntries(fitting);
}

/** The flags that name a control plane and the connection to it, as they were typed. */
function connectionFlagsOf(input: McpInput): Record<string, Typed> {
  const headers = input.xdsHeader.map(([name, value]) => `${name}: ${value}`);
  return present({
    bootstrap: input.bootstrap,
    server: input.server,
    kube: input.kube,
    'kube-context': input.kubeContext,
    kubeconfig: input.kubeconfig,
    plaintext: input.plaintext,
    insecure: input.insecure,
    cacert: input.cacert,
    cert: input.cert,
    key: input.key,
    authority: input.authority,
    'token-file': input.tokenFile,
    'xds-header': headers.length === 0 ? undefined : headers,
  });
}

/** The metadata of the node as one JSON text: calls read no files outside the root. */
async function metadataOf(parts: readonly MetadataPart[]): Promise<string | undefined> {
  if (parts.length === 0) return undefined;
  const entries = await Promise.all(
    parts.map(async (part) => (isEntry(part) ? [part] : await readMetadataFile(part.file))),
  );
  return JSON.stringify(Object.fromEntries(entries.flat()));
}

function rootOf(typed: string): string {
  try {
    const real = realpathSync(resolve(typed));
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new InputProblem(`--root ${typed}: cannot be read: ${reason(error)}`);
  }
  throw new InputProblem(`--root ${typed}: it is not a folder`);
}

/** An invalid bootstrap does not end the server: the tools explain it. Flags that exclude each other do. */
async function checkBootstrap(input: McpInput, env: CliEnvironment, out: Printer): Promise<void> {
  try {
    await connectBootstrap({ ...input, origin: undefined }, input.as, readSwitches(env.variables, input.as), out, env);
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    out.fail(error.message);
  }
}

function present(flags: Record<string, Typed>): Record<string, Typed> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined && value !== false));
}

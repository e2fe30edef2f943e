import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import { REDACTED } from '../base/secret-name.js';
import type { Dial } from '../bootstrap/dial.js';
import { isEntry, type MetadataPart } from '../bootstrap/node-metadata.js';
import { type NodeChanges, type QuickServer, quickBootstrap, withNode } from '../bootstrap/quick-bootstrap.js';
import type { Preset, Switches } from '../bootstrap/switches.js';
import type { ClientSetup } from '../inspect/source.js';
import { loadBootstrap, type ProcessInputs } from './bootstrap-source.js';
import type { CliEnvironment } from './environment.js';
import { mustBeReadable, reason } from './file-problem.js';

/** The flags that select the bootstrap, or a server instead of one, and that change the node. */
export interface BootstrapInput extends QuickServer, NodeChanges {
  bootstrap: string | undefined;
  kubeContext?: string | undefined;
  kubeconfig?: string | undefined;
  nodeMetadata: readonly MetadataPart[];
  /** The context that gives these settings: `context prod (/path/config.yaml)`. */
  origin?: string | undefined;
  showSecrets?: boolean;
  verbose?: boolean;
  /** Limits the time in which kubectl opens a port. */
  timeout?: number | undefined;
}

type FoundBootstrap = Pick<ClientSetup, 'origin' | 'bootstrap' | 'text' | 'dial'>;

type Remarks = { remark(sentence: string): void };

type Environment = ProcessInputs & Pick<CliEnvironment, 'atExit' | 'portForwards'>;

/** The bootstrap from a file, the environment or flags, with the changes that flags make to its node. */
export async function connectBootstrap(
  input: BootstrapInput,
  preset: Preset,
  switches: Switches,
  out: Remarks,
  env: Environment,
): Promise<FoundBootstrap> {
  const { nodeId } = input;
  const isQuick = (input.server ?? input.kube) !== undefined;
  const metadata = await metadataOf(input.nodeMetadata);
  const { bootstrap, ...found } = isQuick
    ? await fromServer(input, switches, out, env)
    : await fromSource(input, preset, switches, env);
  const { id = '' } = bootstrap.node ?? {};
  // Control planes select resources by node, so the output states that it differs from the bootstrap.
  if (nodeId !== undefined && id !== '') out.remark(`using node.id ${nodeId} instead of ${id}`);
  const origin = input.origin === undefined ? found.origin : `${input.origin}${input.insecure ? INSECURE : ''}`;
  return { ...found, origin, bootstrap: withNode(bootstrap, input, metadata) };
}

const INSECURE = ' --insecure';

/** The flags that are useless with a bootstrap, with the names of their values. */
const OF_SERVER = [
  ...(['plaintext', 'insecure', 'cacert', 'cert', 'key', 'authority'] as const).map((key) => [key, key] as const),
  ...([['token-file', 'tokenFile']] as const),
];

async function fromSource(
  input: BootstrapInput,
  preset: Preset,
  switches: Switches,
  env: ProcessInputs,
): Promise<FoundBootstrap> {
  for (const [flag, key] of OF_SERVER) if (input[key]) throw new UsageError(`--${flag} requires --server or --kube`);
  if (input.xdsHeader?.length) throw new UsageError('--xds-header requires --server or --kube');
  checkKubeFlags(input);
  return await loadBootstrap(input.bootstrap, preset, switches, env, '; --server host:port connects without one');
}

function checkKubeFlags({ kube, kubeContext, kubeconfig }: BootstrapInput): void {
  if (kube !== undefined) return;
  if (kubeContext !== undefined) throw new UsageError('--kube-context requires --kube');
  if (kubeconfig !== undefined) throw new UsageError('--kubeconfig requires --kube');
}

async function fromServer(
  input: BootstrapInput,
  switches: Switches,
  out: Remarks,
  env: Environment,
): Promise<FoundBootstrap> {
  const { server, kube, insecure, tokenFile, xdsHeader = [], showSecrets = false } = input;
  if (server !== undefined && kube !== undefined) throw new UsageError('--server excludes --kube');
  if (input.bootstrap !== undefined)
    throw new UsageError(`--${server === undefined ? 'kube' : 'server'} excludes --bootstrap`);
  checkKubeFlags(input);
  const bootstrap = quickBootstrap(input, switches);
  for (const path of [input.cacert, input.cert, input.key]) if (path !== undefined) mustBeReadable(path);
  await mustHaveToken(tokenFile);
  const name = server ?? kube ?? '';
  if (insecure) out.remark(`warning: the certificate of ${name} is not verified (--insecure)`);
  if (input.verbose && xdsHeader.length > 0) out.remark(`metadata: ${headersText(input)}`);
  const dial: Dial = { authority: input.authority, insecure, tokenFile, headers: xdsHeader, showSecrets };
  const origin = `${server === undefined ? `--kube ${kube}` : `--server ${server}`}${insecure ? INSECURE : ''}`;
  if (kube === undefined) return { origin, bootstrap, dial };
  const { kubeDial } = await import('./kube/kube-dial.js');
  const { plaintext, authority, timeout } = input;
  const options = { plaintext, authority, timeout, env, onRemark: (sentence: string) => out.remark(sentence) };
  return { origin, bootstrap, dial: { ...dial, ...(await kubeDial({ ...input, kube }, options)) } };
}

/** The metadata of the stream as the wire log shows it. */
function headersText({ xdsHeader = [], showSecrets }: BootstrapInput): string {
  return xdsHeader.map(([name, value]) => `${name}: ${showSecrets ? value : REDACTED}`).join(', ');
}

/** Each stream reads the file again, but a file that cannot work is reported before the first. */
async function mustHaveToken(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const { readToken } = await import('./credentials.js');
  try {
    readToken(path);
  } catch (error) {
    throw new InputProblem(`the token in ${path} cannot be read: ${reason(error)}`);
  }
}

/** The keys of `node.metadata` that flags and contexts set, with those of files. */
async function metadataOf(parts: readonly MetadataPart[]): Promise<(readonly [string, unknown])[]> {
  const entries: (readonly [string, unknown])[] = [];
  for (const part of parts) {
    if (isEntry(part)) entries.push(part);
    else entries.push(...(await (await import('./metadata-file.js')).readMetadataFile(part.file)));
  }
  return entries;
}

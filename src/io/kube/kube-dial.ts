import { execFile } from 'node:child_process';
import { UsageError } from '../../base/failure.js';
import type { Dial } from '../../bootstrap/dial.js';
import {
  type KubeSettings,
  type KubeTarget,
  namespaceWords,
  readKubeTarget,
  serviceName,
} from '../../bootstrap/kube-target.js';
import type { CliEnvironment } from '../environment.js';
import { PortForward } from './port-forward.js';

/** A network or a cluster that does not respond by then is reported. */
const START_MS = 20_000;
const NAMESPACE_MS = 5000;

/** The server of `--kube`, and how kubectl finds the cluster. */
export interface KubeServer {
  /** `istio-system/svc/istiod:15012` */
  kube: string;
  kubeContext?: string | undefined;
  kubeconfig?: string | undefined;
}

export interface KubeDialOptions {
  plaintext: boolean;
  authority: string | undefined;
  /** The user waits at most this long. */
  timeout?: number | undefined;
  env: Pick<CliEnvironment, 'variables' | 'atExit' | 'portForwards'>;
  onRemark(sentence: string): void;
}

/** The parts of `--kube` and its flags. Throws a UsageError for invalid ones. */
export function kubeTarget({ kube, kubeContext, kubeconfig }: KubeServer): {
  target: KubeTarget;
  settings: KubeSettings;
} {
  const read = readKubeTarget(kube);
  if (!read.ok) throw new UsageError(`--kube ${read.problem}`);
  for (const [flag, value] of Object.entries({ 'kube-context': kubeContext, kubeconfig })) {
    if (value === undefined) continue;
    if (value === '') throw new UsageError(`--${flag} is empty`);
    // kubectl would read other flags from it in some places.
    if (value.startsWith('-'))
      throw new UsageError(`--${flag} takes a name that does not begin with -, not "${value}"`);
  }
  return { target: read.target, settings: { context: kubeContext, kubeconfig } };
}

/** Forwards a local port with kubectl, once for each server in this process. */
export async function kubeDial(
  server: KubeServer,
  { plaintext, authority, timeout = START_MS, env, onRemark }: KubeDialOptions,
): Promise<Pick<Dial, 'tunnel' | 'authority'>> {
  const { target, settings } = kubeTarget(server);
  const key = JSON.stringify([server.kube, settings]);
  const limitMs = Math.min(timeout, START_MS);
  const open = (): Promise<PortForward> =>
    PortForward.open({ target, settings, name: server.kube, limitMs, env, onRemark });
  const opened = env.portForwards?.get(key) ?? open();
  env.portForwards?.set(key, opened);
  // The next client tries again.
  opened.catch(() => env.portForwards?.delete(key));
  const needsName = authority === undefined && !plaintext;
  const [tunnel, name] = await Promise.all([opened, needsName ? nameOf(target, settings, env) : authority]);
  return { tunnel, authority: name };
}

/** The name in the certificates of a control plane: the namespace is that of kubectl unless it is given. */
async function nameOf(
  target: KubeTarget,
  settings: KubeSettings,
  { variables }: Pick<CliEnvironment, 'variables'>,
): Promise<string> {
  if (target.namespace !== undefined) return serviceName(target, target.namespace);
  const options = { env: variables, timeout: NAMESPACE_MS, windowsHide: true };
  const namespace = await new Promise<string>((resolve) => {
    // The port-forward reports what is wrong with kubectl.
    execFile('kubectl', namespaceWords(settings), options, (error, stdout) => resolve(error ? '' : stdout.trim()));
  });
  return serviceName(target, namespace || 'default');
}

import type { LocatedProblem } from '../../base/document.js';
import type { ConnectionSettings } from '../../bootstrap/connection-settings.js';
import { followTarget, type Resolver } from '../resolve-targets.js';
import type { CheckFile, FilePosition, TargetCheck } from './expectations.js';
import type { CheckedTarget } from './target-watch.js';

/** The settings of a client, from the command line. */
type ClientSettings = { [K in keyof ConnectionSettings]?: ConnectionSettings[K] | undefined } & {
  plaintext: boolean;
  nodeId: string | undefined;
  defaultAuthority: string | undefined;
  /** The context that gives them. */
  origin?: string | undefined;
};

/** The targets of one client: they share the bootstrap and the node. */
export interface ClientChecks<S> {
  settings: S;
  checks: TargetCheck[];
  /** Where the file names the control plane; undefined if the command line does. */
  at: FilePosition | undefined;
}

/** Groups targets with the same settings. `pathOf` resolves a path from the file. */
export function checksByClient<S extends ClientSettings>(
  file: CheckFile,
  typed: S,
  pathOf: (name: string) => string,
): ClientChecks<S>[] {
  const clients = new Map<string, ClientChecks<S>>();
  for (const check of file.targets) {
    const client = clientOf(check, file, typed, pathOf);
    const key = JSON.stringify(client.settings);
    const known = clients.get(key);
    if (known === undefined) clients.set(key, client);
    else known.checks.push(check);
  }
  return [...clients.values()];
}

/** The settings of the target take precedence over the command line, and that over the top level of the file. */
function clientOf<S extends ClientSettings>(
  check: TargetCheck,
  file: CheckFile,
  typed: S,
  pathOf: (name: string) => string,
): ClientChecks<S> {
  const base = {
    ...typed,
    nodeId: check.nodeId ?? typed.nodeId ?? file.nodeId,
    defaultAuthority: check.defaultAuthority ?? typed.defaultAuthority,
  };
  const isOwn = isNamed(check.connecting);
  if (!isOwn && (isNamed(typed) || !isNamed(file.connecting)))
    return { settings: base, checks: [check], at: undefined };
  const { connecting, connectingAt: at } = isOwn ? check : file;
  const { plaintext = false } = connecting;
  const files = FILES.map((name) => [name, connecting[name] && pathOf(connecting[name])] as const);
  const settings = { ...base, ...NO_CONNECTION, ...connecting, ...Object.fromEntries(files), plaintext };
  return { settings: { ...settings, origin: undefined }, checks: [check], at };
}

const FILES = ['bootstrap', 'kubeconfig', 'cacert', 'cert', 'key', 'tokenFile'] as const;

/** The settings of the command line are for another control plane. */
const NO_CONNECTION = {
  ...{ bootstrap: undefined, server: undefined, kube: undefined, kubeContext: undefined, kubeconfig: undefined },
  ...{ insecure: undefined, cacert: undefined, cert: undefined, key: undefined, authority: undefined },
  ...{ tokenFile: undefined, xdsHeader: undefined },
} satisfies { [K in Exclude<keyof ConnectionSettings, 'plaintext'>]-?: undefined };

function isNamed({
  bootstrap,
  server,
  kube,
}: { [K in 'bootstrap' | 'server' | 'kube']?: string | undefined }): boolean {
  return (bootstrap ?? server ?? kube) !== undefined;
}

/** Resolves the targets of a client. Adds errors to `problems`. */
export function checkedTargets(
  checks: readonly TargetCheck[],
  resolver: Resolver,
  defaultAuthority: string | undefined,
  problems: LocatedProblem[],
): CheckedTarget[] {
  return checks.flatMap((check): CheckedTarget[] => {
    const follow = followTarget(check.target, resolver, check.defaultAuthority ?? defaultAuthority);
    if (follow.kind === 'follow') return [{ check, follow }];
    problems.push({ path: [], message: `${check.target}: ${follow.message}`, ...check.at });
    return [];
  });
}

import { UsageError } from '../../base/failure.js';
import { InputProblem } from '../../base/input-problem.js';
import type { MetadataPart } from '../node-metadata.js';
import type { Preset } from '../preset-names.js';
import { withHeaders, type XdsHeader } from '../xds-headers.js';
import type { Context, CsdsSettings } from './context.js';

/** The values of flags that a context can replace. A command has some of these flags. */
export interface ConnectionInput {
  /** The names of the flags that the user has given. */
  given: ReadonlySet<string>;
  bootstrap?: string | undefined;
  server?: string | undefined;
  kube?: string | undefined;
  kubeContext?: string | undefined;
  kubeconfig?: string | undefined;
  plaintext?: boolean;
  cacert?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  authority?: string | undefined;
  tokenFile?: string | undefined;
  xdsHeader?: readonly XdsHeader[] | undefined;
  nodeId?: string | undefined;
  nodeCluster?: string | undefined;
  nodeLocality?: string | undefined;
  nodeMetadata?: readonly MetadataPart[];
  userAgent?: string | undefined;
  defaultAuthority?: string | undefined;
  as?: Preset | undefined;
  targets?: readonly string[];
  /** `report --all` and `wait --wildcard` name what to inspect: the default targets are not used. */
  all?: boolean;
  wildcard?: readonly string[] | undefined;
}

/** The values of flags of `csds` that a context can replace. */
export interface CsdsContextInput
  extends Pick<ConnectionInput, 'given' | 'defaultAuthority' | 'xdsHeader' | 'kubeContext' | 'kubeconfig'> {
  addresses: readonly string[];
  /** Processes in Kubernetes. */
  kube?: readonly string[] | undefined;
  authority: string | undefined;
  tokenFile?: string | undefined;
}

/**
 * Adds the settings of a context to those of a command, which take precedence. A flag that names another control plane
 * is an error: the certificates and the node of the context do not belong to it. `origin` names the context in messages.
 */
export function applyContext<I extends ConnectionInput>(
  input: I,
  context: Context,
  origin: string,
): I & { origin: string } {
  mustFit(input, context, origin);
  const { bootstrap, server, kube, authority, tokenFile, xdsHeader = [], kubeContext, kubeconfig } = context.connecting;
  const { targets = [] } = input;
  return {
    ...input,
    ...present(input, {
      bootstrap,
      server,
      kube,
      kubeContext: input.kubeContext ?? kubeContext,
      kubeconfig: input.kubeconfig ?? kubeconfig,
      ...(ownTlsFlag(input) === undefined && { tokenFile, ...tlsOf(context.connecting) }),
      ...(input.tokenFile !== undefined && { tokenFile: input.tokenFile }),
      authority: input.authority ?? authority,
      xdsHeader: withHeaders(xdsHeader, input.xdsHeader ?? []),
      nodeId: input.nodeId ?? context.nodeId,
      nodeCluster: input.nodeCluster ?? context.nodeCluster,
      nodeLocality: input.nodeLocality ?? context.nodeLocality,
      // The last value of a key wins.
      nodeMetadata: [...context.nodeMetadata, ...(input.nodeMetadata ?? [])],
      userAgent: input.userAgent ?? context.userAgent,
      defaultAuthority: input.defaultAuthority ?? context.defaultAuthority,
      as: input.given.has('as') ? input.as : (context.as ?? input.as),
      targets: usesDefaultTargets(input) ? context.targets : targets,
    }),
    origin,
  };
}

function mustFit(input: ConnectionInput, { connecting, targets }: Context, origin: string): void {
  const other = (['bootstrap', 'server', 'kube'] as const).find((flag) => input[flag] !== undefined);
  if (other !== undefined) throw new UsageError(`--context excludes --${other}: both name a control plane`);
  const { bootstrap, server, kube } = connecting;
  if ((bootstrap ?? server ?? kube) === undefined) {
    throw new InputProblem(`${origin} names no control plane: add "bootstrap", "server" or "kube" to it`);
  }
  if (bootstrap === undefined && !('server' in input)) {
    throw new InputProblem(`${origin} has a server and no bootstrap: name a bootstrap file`);
  }
  const flag = ownTlsFlag(input) ?? OTHER_SERVER_FLAGS.find((one) => input.given.has(one));
  if (flag !== undefined && bootstrap !== undefined) {
    throw new UsageError(`--${flag} requires --server or --kube: ${origin} has a bootstrap`);
  }
  if (usesDefaultTargets(input) && targets.length === 0) {
    throw new UsageError(
      `missing target: ${origin} has no default targets; name a target, or add "targets" to the context`,
    );
  }
}

function usesDefaultTargets({ targets, all, wildcard }: ConnectionInput): boolean {
  return targets?.length === 0 && all !== true && wildcard === undefined;
}

/** Adds the addresses of a context, and how to connect to them. A context without `csds` has neither. */
export function applyCsdsContext<I extends CsdsContextInput>(input: I, context: Context, origin: string): I {
  const { csds } = context;
  const isNamed = input.addresses.length > 0 || (input.kube ?? []).length > 0;
  if (csds === undefined && !isNamed)
    throw new UsageError(`missing address: ${origin} has no "csds"; name an address, or add "csds" to the context`);
  return {
    ...input,
    ...(csds !== undefined && ownTlsFlag(input) === undefined && { tokenFile: csds.tokenFile, ...tlsOf(csds) }),
    ...(input.tokenFile !== undefined && { tokenFile: input.tokenFile }),
    addresses: isNamed ? input.addresses : (csds?.addresses ?? []),
    authority: input.authority ?? csds?.authority,
    kubeContext: input.kubeContext ?? csds?.kubeContext,
    kubeconfig: input.kubeconfig ?? csds?.kubeconfig,
    xdsHeader: withHeaders(csds?.xdsHeader ?? [], input.xdsHeader ?? []),
    defaultAuthority: input.defaultAuthority ?? context.defaultAuthority,
  };
}

/** One of these flags replaces all such settings of a context: parts of both would not fit together. */
const TLS_FLAGS = ['plaintext', 'insecure', 'cacert', 'cert', 'key'] as const;

/** These flags replace single settings of a context. */
const OTHER_SERVER_FLAGS = ['authority', 'token-file', 'xds-header', 'kube-context', 'kubeconfig'] as const;

function ownTlsFlag({ given }: Pick<ConnectionInput, 'given'>): string | undefined {
  return TLS_FLAGS.find((flag) => given.has(flag));
}

function tlsOf({ plaintext = false, insecure = false, cacert, cert, key }: Partial<CsdsSettings>) {
  return { plaintext, insecure, cacert, cert, key };
}

/** The settings for which the command has a flag. */
function present<V extends object>(input: object, settings: V): Partial<V> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => key in input)) as Partial<V>;
}

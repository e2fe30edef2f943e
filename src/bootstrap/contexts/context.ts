import type { ConnectionSettings } from '../connection-settings.js';
import type { Preset } from '../preset-names.js';
import type { XdsHeader } from '../xds-headers.js';

/** How to connect to the processes that a context reads over CSDS. */
export interface CsdsSettings {
  addresses: readonly string[];
  plaintext?: boolean;
  insecure?: boolean;
  cacert?: string;
  cert?: string;
  key?: string;
  authority?: string;
  tokenFile?: string;
  kubeContext?: string;
  kubeconfig?: string;
  xdsHeader?: readonly XdsHeader[];
}

/** A named control plane: how to connect to it, as which client, and what to inspect by default. */
export interface Context {
  /** Neither a bootstrap nor a server if the context is only for `csds`. */
  connecting: ConnectionSettings;
  nodeId: string | undefined;
  nodeCluster?: string | undefined;
  nodeLocality?: string | undefined;
  nodeMetadata: readonly (readonly [string, unknown])[];
  userAgent: string | undefined;
  defaultAuthority: string | undefined;
  as: Preset | undefined;
  targets: readonly string[];
  csds: CsdsSettings | undefined;
}

export type Contexts = ReadonlyMap<string, Context>;

/** Resolves all paths of a context. */
export function withPaths(context: Context, pathOf: (name: string) => string): Context {
  const resolved = <S extends object>(settings: S): S => {
    const files = Object.entries(settings).map(([key, value]) => [key, FILES.has(key) ? pathOf(value) : value]);
    return Object.fromEntries(files) as S;
  };
  const { connecting, csds } = context;
  return { ...context, connecting: resolved(connecting), csds: csds && resolved(csds) };
}

const FILES: ReadonlySet<string> = new Set(['bootstrap', 'kubeconfig', 'cacert', 'cert', 'key', 'tokenFile']);

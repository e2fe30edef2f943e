import { REDACTED } from '../base/secret-name.js';
import type { Context, Contexts, CsdsSettings } from '../bootstrap/contexts/context.js';
import type { Preset } from '../bootstrap/preset-names.js';
import type { XdsHeader } from '../bootstrap/xds-headers.js';

/** A context with absolute paths, and never with the contents of a file. */
export interface ContextView {
  name: string;
  /** Whether `XDS_INSPECT_CONTEXT` names it. */
  selected: boolean;
  bootstrap: string | null;
  server: string | null;
  kube: string | null;
  kubeContext: string | null;
  kubeconfig: string | null;
  plaintext: boolean;
  insecure: boolean;
  cacert: string | null;
  cert: string | null;
  key: string | null;
  authority: string | null;
  tokenFile: string | null;
  /** The values are not shown. */
  xdsHeaders: Record<string, string>;
  nodeId: string | null;
  nodeCluster: string | null;
  nodeLocality: string | null;
  nodeMetadata: Record<string, unknown>;
  userAgent: string | null;
  defaultAuthority: string | null;
  as: Preset | null;
  targets: readonly string[];
  csds: (Omit<CsdsSettings, 'xdsHeader'> & { xdsHeaders?: Record<string, string> }) | null;
  /** Its files that do not exist. */
  missingFiles: readonly string[];
}

export interface ContextsDocument {
  schema: 'xds-inspect/contexts/v1';
  file: string;
  exists: boolean;
  /** The value of `XDS_INSPECT_CONTEXT`. */
  selected: string | null;
  contexts: ContextView[];
}

/** The facts about the configuration file that its contexts do not contain. */
interface FileFacts extends Pick<ContextsDocument, 'file' | 'exists' | 'selected'> {
  fileExists(path: string): boolean;
}

export function contextsDocument(contexts: Contexts, { fileExists, ...file }: FileFacts): ContextsDocument {
  const views = [...contexts].map(([name, context]): ContextView => {
    const paths = [context.connecting, context.csds ?? {}].flatMap(filesOf);
    const missingFiles = [...new Set(paths)].filter((path) => !fileExists(path));
    return { ...contextView(name, context), selected: name === file.selected, missingFiles };
  });
  return { schema: 'xds-inspect/contexts/v1', ...file, contexts: views };
}

function contextView(name: string, context: Context): Omit<ContextView, 'selected' | 'missingFiles'> {
  const { connecting, csds, targets } = context;
  return {
    name,
    bootstrap: connecting.bootstrap ?? null,
    server: connecting.server ?? null,
    kube: connecting.kube ?? null,
    kubeContext: connecting.kubeContext ?? null,
    kubeconfig: connecting.kubeconfig ?? null,
    plaintext: connecting.plaintext ?? false,
    insecure: connecting.insecure ?? false,
    cacert: connecting.cacert ?? null,
    cert: connecting.cert ?? null,
    key: connecting.key ?? null,
    authority: connecting.authority ?? null,
    tokenFile: connecting.tokenFile ?? null,
    xdsHeaders: redactedHeaders(connecting.xdsHeader),
    nodeId: context.nodeId ?? null,
    nodeCluster: context.nodeCluster ?? null,
    nodeLocality: context.nodeLocality ?? null,
    nodeMetadata: Object.fromEntries(context.nodeMetadata),
    userAgent: context.userAgent ?? null,
    defaultAuthority: context.defaultAuthority ?? null,
    as: context.as ?? null,
    targets,
    csds: csds === undefined ? null : csdsView(csds),
  };
}

function csdsView({ xdsHeader, ...csds }: CsdsSettings): ContextView['csds'] {
  return { ...csds, ...(xdsHeader !== undefined && { xdsHeaders: redactedHeaders(xdsHeader) }) };
}

/** Names do not show which values are secret. */
function redactedHeaders(headers: readonly XdsHeader[] = []): Record<string, string> {
  return Object.fromEntries(headers.map(([name]) => [name, REDACTED]));
}

function filesOf(settings: Context['connecting'] & Partial<CsdsSettings>): string[] {
  const { bootstrap, kubeconfig, cacert, cert, key, tokenFile } = settings;
  return [bootstrap, kubeconfig, cacert, cert, key, tokenFile].flatMap((path) => path ?? []);
}

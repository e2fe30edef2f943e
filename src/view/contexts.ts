import type { Context, Contexts, CsdsSettings } from '../bootstrap/contexts/context.js';
import type { Preset } from '../bootstrap/preset-names.js';

/** A context with absolute paths, and never with the contents of a file. */
export interface ContextView {
  name: string;
  /** Whether `XDS_INSPECT_CONTEXT` names it. */
  selected: boolean;
  bootstrap: string | null;
  server: string | null;
  plaintext: boolean;
  cacert: string | null;
  cert: string | null;
  key: string | null;
  nodeId: string | null;
  nodeMetadata: Record<string, string>;
  userAgent: string | null;
  defaultAuthority: string | null;
  as: Preset | null;
  targets: readonly string[];
  csds: CsdsSettings | null;
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
  const { connecting, csds = null, targets } = context;
  return {
    name,
    bootstrap: connecting.bootstrap ?? null,
    server: connecting.server ?? null,
    plaintext: connecting.plaintext ?? false,
    cacert: connecting.cacert ?? null,
    cert: connecting.cert ?? null,
    key: connecting.key ?? null,
    nodeId: context.nodeId ?? null,
    nodeMetadata: Object.fromEntries(context.nodeMetadata),
    userAgent: context.userAgent ?? null,
    defaultAuthority: context.defaultAuthority ?? null,
    as: context.as ?? null,
    targets,
    csds,
  };
}

function filesOf({ bootstrap, cacert, cert, key, tokenFile }: Context['connecting'] & Partial<CsdsSettings>): string[] {
  return [bootstrap, cacert, cert, key, tokenFile].flatMap((path) => path ?? []);
}

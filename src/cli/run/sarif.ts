import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExitCode } from '../../base/exit-codes.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { Analysis } from '../../view/sarif/analysis.js';
import { type SarifArtifact, type SarifLog, type SarifRun, sarifLog } from '../../view/sarif/sarif-log.js';

/** How a run ended, and which file a source names. */
interface Ending {
  code: ExitCode;
  isComplete: boolean;
  /** By default, `-` is stdin and other sources are files. */
  fileOf?: (source: string) => string | undefined;
}

/** The SARIF log of a command. */
export function sarifFor(
  analysis: Analysis,
  { code, isComplete, fileOf = fileUnlessStdin }: Ending,
  env: CliEnvironment,
): SarifLog {
  const artifacts = new Map<string, SarifArtifact | undefined>();
  const run: SarifRun = {
    version: env.version,
    exitCode: env.codeOf?.(code) ?? code,
    isComplete,
    artifact: (source) => {
      if (!artifacts.has(source)) artifacts.set(source, artifactOf(fileOf(source)));
      return artifacts.get(source);
    },
    page: (rule) => manualPage(rule, env),
  };
  return sarifLog(analysis, run);
}

function fileUnlessStdin(source: string): string | undefined {
  return source === '-' ? undefined : source;
}

function artifactOf(path: string | undefined): SarifArtifact | undefined {
  if (path === undefined) return undefined;
  const root = directoryUri('.');
  const uri = fileUri(path);
  if (!uri.startsWith(root) || uri === root) return { uri };
  // A colon in the first part would end the scheme of a URI.
  return { uri: uri.slice(root.length).replaceAll(':', '%3A'), uriBaseId: 'SRCROOT' };
}

function directoryUri(path: string): string {
  return fileUri(path).replace(/\/?$/, '/');
}

function fileUri(path: string): string {
  return pathToFileURL(resolve(path.replaceAll('\0', '\ufffd'))).href;
}

/** The page about a finding. Its links lead to pages that a viewer does not have. */
function manualPage(rule: string, { packageFiles }: CliEnvironment): string | undefined {
  if (!/^XI\d+$/.test(rule)) return undefined;
  try {
    const text = packageFiles.read(`docs/findings/${rule}.md`).toString();
    return text.replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1');
  } catch {
    return undefined;
  }
}

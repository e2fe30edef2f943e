import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { firstFew } from '../base/count-text.js';
import { InputProblem } from '../base/input-problem.js';
import { didYouMean } from '../base/nearest.js';
import { type Context, type Contexts, withPaths } from '../bootstrap/contexts/context.js';
import { readContexts } from '../bootstrap/contexts/read-contexts.js';
import { problemLines, problemText } from '../view/problem-text.js';
import type { CliEnvironment } from './environment.js';
import { withoutFileGuard } from './file-guard.js';
import { unreadable } from './file-problem.js';
import { readRegularFile } from './input-file.js';

const MAX_BYTES = 1024 * 1024;
/** The names in an error message. */
const MAX_LISTED = 20;

/** The file with the contexts. */
export interface ContextsFile {
  path: string;
  exists: boolean;
  /** With absolute paths. */
  contexts: Contexts;
}

/** A context and the file that defines it. */
export interface FoundContext {
  name: string;
  path: string;
  context: Context;
}

/** `XDS_INSPECT_CONFIG`, or the place for configuration files of the XDG specification, on every operating system. */
export function contextsPath({ variables }: Pick<CliEnvironment, 'variables'>): string {
  const { XDS_INSPECT_CONFIG: chosen = '', XDG_CONFIG_HOME: base = '' } = variables;
  if (chosen !== '') return resolve(chosen);
  // The specification ignores a relative path.
  return join(isAbsolute(base) ? base : join(home(variables), '.config'), 'xds-inspect', 'config.yaml');
}

/** Reads all contexts. A file that does not exist has none; an invalid one is an error with all its problems. */
export function loadContexts(env: Pick<CliEnvironment, 'variables'>): ContextsFile {
  const path = contextsPath(env);
  let source: string;
  try {
    source = withoutFileGuard(() => readRegularFile(path, MAX_BYTES)).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { path, exists: false, contexts: new Map() };
    throw unreadable(path, error);
  }
  const read = readContexts(source);
  if (!read.ok) throw new InputProblem(problemLines(read.problems.map((problem) => problemText(path, problem))));
  const pathOf = (name: string): string => {
    return name.startsWith('~/') ? join(home(env.variables), name.slice(2)) : resolve(dirname(path), name);
  };
  const contexts = new Map([...read.contexts].map(([name, context]) => [name, withPaths(context, pathOf)]));
  return { path, exists: true, contexts };
}

export function findContext(name: string, env: Pick<CliEnvironment, 'variables' | 'program'>): FoundContext {
  const { path, exists, contexts } = loadContexts(env);
  const context = contexts.get(name);
  if (context !== undefined) return { name, path, context };
  if (!exists) {
    throw new InputProblem(
      `no context "${name}": ${path} does not exist. "${env.program} context list" shows how to create it`,
    );
  }
  const names = [...contexts.keys()];
  const known = names.length === 0 ? 'it has no contexts' : `it has ${firstFew(names, MAX_LISTED, String)}`;
  throw new InputProblem(`no context "${name}" in ${path}${didYouMean(name, names)}: ${known}`);
}

function home({ HOME, USERPROFILE }: CliEnvironment['variables']): string {
  return HOME || USERPROFILE || homedir();
}

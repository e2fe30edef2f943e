import { readFileSync } from 'node:fs';
import type { LocatedProblem } from '../../base/document.js';
import { formatPath } from '../../base/problem.js';
import type { CheckFile } from '../../inspect/expect/expectations.js';
import { readExpectations } from '../../inspect/expect/read-expectations.js';
import { githubAnnotations } from '../../view/render/annotation.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { problemLines, problemText } from '../problem-text.js';
import { reason } from './load-scenario.js';

export async function readCheckFile(path: string, args: Arguments, env: CliEnvironment): Promise<CheckFile> {
  let source: string;
  try {
    source = path === '-' ? new TextDecoder().decode(await env.readStdin()) : readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(EXIT.badInput, `${path}: cannot be read: ${reason(error)}`);
  }
  const result = readExpectations(source);
  if (result.ok) return result.file;
  throw badFile(path, result.problems, args, env);
}

/** In a workflow the problems of the file are annotations, too. */
export function badFile(
  path: string,
  problems: readonly LocatedProblem[],
  args: Arguments,
  env: CliEnvironment,
): Failure {
  if (args.output === 'github') {
    const annotations = problems.map(({ path: field, message, line, column }) => ({
      code: 'expectations',
      severity: 'error' as const,
      place: { source: path, path: formatPath(field), line, column },
      message,
    }));
    env.stdout.write(githubAnnotations(annotations));
  }
  return new Failure(EXIT.badInput, problemLines(problems.map((problem) => problemText(path, problem))));
}

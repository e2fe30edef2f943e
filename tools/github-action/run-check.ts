import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EXIT } from '../../src/base/exit-codes.ts';
import { visible } from '../../src/view/visible-text.ts';
import { type Annotation, annotationLine, parseAnnotation } from './annotation.ts';
import type { Check } from './checks.ts';
import { annotationsOf, readSarif, type Sarif } from './sarif.ts';

export interface CheckResult {
  check: Check;
  code: number;
  annotations: Annotation[];
  /** The reason of the exit code, or the last line of the result. */
  summary: string;
  sarif: Sarif | undefined;
}

interface RunOptions {
  program: string;
  workspace: string;
  sarif: boolean;
  page: boolean;
  log(text: string): void;
}

/** Runs a command, and prints its annotations and texts. */
export async function runCheck(check: Check, options: RunOptions): Promise<CheckResult> {
  const { program, workspace, log } = options;
  const format = options.sarif && check.formats.includes('sarif') ? 'sarif' : check.formats[0];
  const argv = [
    ...check.command,
    '--color=never',
    ...(format === undefined ? [] : [`--output=${format}`]),
    ...(options.page && check.page !== undefined ? [`--html=${check.page}`] : []),
    ...check.args,
  ];
  const { code, stdout, stderr } = await execute(program, argv, workspace);
  const sarif = format === 'sarif' ? readSarif(stdout) : undefined;
  const isText = format === undefined || (format === 'sarif' && sarif === undefined);
  const annotations = sarif === undefined ? (isText ? [] : parseAll(stdout)) : annotationsOf(sarif);
  const summary = reasonOf(code, stderr) ?? (isText ? firstLine(stdout) : '');
  // A failure without an annotation would not be visible in the pull request.
  if (code !== EXIT.ok && !annotations.some(({ level }) => level === 'error')) {
    const detail = isText ? firstLine(stdout) : '';
    const message = [detail, summary].filter((line, at, all) => line !== '' && all.indexOf(line) === at).join('\n');
    annotations.push({ level: 'error', title: `xds-inspect ${check.title}`, message: message || `exit ${code}` });
  }
  log(`::group::xds-inspect ${visible(check.title)}\n`);
  log(asText(`${isText ? stdout : ''}${stderr}`));
  log('::endgroup::\n');
  for (const annotation of annotations) log(`${annotationLine(annotation)}\n`);
  return { check, code, annotations, summary, sarif };
}

function execute(
  program: string,
  argv: readonly string[],
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...argv], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (data: Buffer) => parts[name].push(data));
    const text = (name: 'stdout' | 'stderr'): string => Buffer.concat(parts[name]).toString('utf8');
    child.on('error', ({ message }) =>
      resolve({ code: EXIT.bug, stdout: '', stderr: `cannot be started: ${message}\n` }),
    );
    child.on('close', (code) => resolve({ code: code ?? EXIT.bug, stdout: text('stdout'), stderr: text('stderr') }));
  });
}

const parseAll = (output: string): Annotation[] => output.split('\n').flatMap((line) => parseAnnotation(line) ?? []);

/** The line on stderr that states the reason of an exit code. Others, such as advice, can follow it. */
function reasonOf(code: number, stderr: string): string | undefined {
  if (code === EXIT.ok) return undefined;
  const lines = stderr.trimEnd().split('\n');
  return lines.findLast((line) => /^(exit \d+|xds-inspect): /.test(line)) ?? lines.at(-1);
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';

/** Output in which GitHub looks for no workflow commands: it has names and messages of a control plane. */
function asText(output: string): string {
  if (output === '') return '';
  const token = randomUUID();
  return `::stop-commands::${token}\n${output.endsWith('\n') ? output : `${output}\n`}::${token}::\n`;
}

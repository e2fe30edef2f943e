import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../src/base/exit-codes.ts';
import { annotationLine } from './annotation.ts';
import { type InputError, planChecks } from './checks.ts';
import { readInputs } from './inputs.ts';
import { type CheckResult, runCheck } from './run-check.ts';
import { joinSarif } from './sarif.ts';
import { jobSummary } from './summary.ts';

/** If several codes apply, the first of these is the result, as in the command line. */
const WORST_FIRST: readonly number[] = [
  EXIT.bug,
  EXIT.interrupted,
  EXIT.usage,
  EXIT.badInput,
  EXIT.unavailable,
  EXIT.timedOut,
  EXIT.findings,
  EXIT.ok,
];

/** The GitHub Action: runs the commands for its inputs, and writes outputs, annotations and the summary of the job. */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const workspace = variable(env, 'GITHUB_WORKSPACE');
  const folder = mkdtempSync(join(variable(env, 'RUNNER_TEMP'), 'xds-inspect-results-'));
  const pages = join(folder, 'report');
  mkdirSync(pages);
  const program = join(variable(env, 'XDS_ACTION_FOLDER'), 'node_modules/xds-inspect/bin/xds-inspect.js');
  const log = (text: string): void => void process.stdout.write(text);

  const { inputs, problems } = readInputs(env);
  const planned = await planChecks(inputs, { workspace, pages });
  const errors: InputError[] = [...problems.map((message) => ({ message, code: EXIT.usage })), ...planned.errors];
  for (const { message } of errors) log(`${annotationLine({ level: 'error', title: 'xds-inspect', message })}\n`);

  const results: CheckResult[] = [];
  if (problems.length === 0)
    for (const check of planned.checks)
      results.push(await runCheck(check, { program, workspace, sarif: inputs.sarif, page: inputs.report, log }));

  const sarifFile = join(folder, 'xds-inspect.sarif');
  const parts = results.flatMap(({ check, sarif }) =>
    sarif === undefined ? [] : [{ category: check.category, sarif }],
  );
  if (parts.length > 0) writeFileSync(sarifFile, JSON.stringify(joinSarif(parts, inputs.name)));
  const hasPages = readdirSync(pages).length > 0;
  const outputs = {
    'exit-code': worst([...results, ...errors].map(({ code }) => code)),
    sarif: existsSync(sarifFile) ? sarifFile : '',
    report: hasPages ? pages : '',
  };
  for (const [name, value] of Object.entries(outputs))
    appendFileSync(variable(env, 'GITHUB_OUTPUT'), `${name}=${value}\n`);
  const texts = errors.map(({ message }) => message);
  appendFileSync(variable(env, 'GITHUB_STEP_SUMMARY'), jobSummary(results, texts, hasPages ? inputs.name : undefined));
}

function worst(codes: readonly number[]): number {
  return WORST_FIRST.find((code) => codes.includes(code) || (code === EXIT.bug && codes.some(isUnknown))) ?? EXIT.ok;
}

const isUnknown = (code: number): boolean => !WORST_FIRST.includes(code);

function variable(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: run this as a step of action.yml`);
  return value;
}

await main(process.env);

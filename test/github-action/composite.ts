import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/root.js';

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  shell?: string;
  run?: string;
  env?: Record<string, string>;
}

interface ActionFile {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

export const ACTION: ActionFile = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

/** What a job sees of a run of the Action. */
export interface ActionRun {
  /** The exit code of the first failed step, or 0. */
  code: number;
  log: string;
  summary: string;
  path: string;
  outputs: Record<string, string>;
  /** The actions that were used, with their inputs. */
  used: { uses: string; with: Record<string, string> }[];
}

interface RunnerOptions {
  workspace: string;
  /** An empty folder for temporary files. */
  temp: string;
  /** The checkout of the Action. */
  actionPath: string;
  inputs: Record<string, string>;
  env: NodeJS.ProcessEnv;
  /** Does what an action would do; the default does nothing. */
  use?(uses: string, inputs: Record<string, string>): void;
}

/** Runs the steps of action.yml as the runner of GitHub does. Other actions are only noted. */
export async function runAction(options: RunnerOptions): Promise<ActionRun> {
  mkdirSync(options.temp, { recursive: true });
  const values = inputValues(options.inputs);
  const run: ActionRun = { code: 0, log: '', summary: '', path: '', outputs: {}, used: [] };
  for (const [index, step] of ACTION.runs.steps.entries()) {
    if (!isDue(step, run.code, values)) continue;
    if (step.uses === undefined) {
      const code = await runScript(step, { prefix: join(options.temp, `step-${index}`), values, run }, options);
      if (run.code === 0) run.code = code;
    } else {
      const inputs = resolveAll(step.with ?? {}, values);
      run.used.push({ uses: step.uses, with: inputs });
      options.use?.(step.uses, inputs);
    }
  }
  for (const [name, { value }] of Object.entries(ACTION.outputs)) run.outputs[name] = resolve(value, values);
  return run;
}

type Values = Map<string, string>;

function inputValues(inputs: Readonly<Record<string, string>>): Values {
  const unknown = Object.keys(inputs).filter((name) => !(name in ACTION.inputs));
  if (unknown.length > 0) throw new Error(`unknown inputs: ${unknown.join(', ')}`);
  return new Map(
    Object.entries(ACTION.inputs).map(([name, { default: value }]) => [`inputs.${name}`, inputs[name] ?? value]),
  );
}

/** Runs a script in the environment that GitHub gives it, and reads the files that it writes. */
async function runScript(
  step: Step,
  { prefix, values, run }: { prefix: string; values: Values; run: ActionRun },
  { workspace, actionPath, temp, env }: RunnerOptions,
): Promise<number> {
  const files = {
    GITHUB_OUTPUT: `${prefix}-output`,
    GITHUB_STEP_SUMMARY: `${prefix}-summary`,
    GITHUB_PATH: `${prefix}-path`,
  };
  for (const path of Object.values(files)) writeFileSync(path, '');
  const variables = { GITHUB_WORKSPACE: workspace, GITHUB_ACTION_PATH: actionPath, RUNNER_TEMP: temp };
  writeFileSync(`${prefix}.sh`, step.run ?? '');
  const stepEnv = { ...env, ...resolveAll(step.env ?? {}, values), ...files, ...variables };
  const code = await execute(`${prefix}.sh`, workspace, stepEnv, (text) => {
    run.log += text;
  });
  for (const line of readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n')) {
    const [, name, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) values.set(`steps.${step.id}.outputs.${name}`, value);
  }
  run.summary += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8');
  run.path += readFileSync(files.GITHUB_PATH, 'utf8');
  return code;
}

function execute(script: string, cwd: string, env: NodeJS.ProcessEnv, log: (text: string) => void): Promise<number> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], { cwd, env });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => log(String(text)));
  return new Promise((done) => child.on('close', (code) => done(code ?? -1)));
}

/** A step without a condition runs only if all steps before it succeeded. */
function isDue(step: Step, code: number, values: Readonly<Values>): boolean {
  const condition = step.if?.replace(/^\$\{\{(.*)\}\}$/, '$1').trim();
  if (condition === undefined) return code === 0;
  const terms = condition.split('&&').map((term) => term.trim());
  if (!terms.includes('!cancelled()') && code !== 0) return false;
  return terms.every((term) => {
    if (term === '!cancelled()') return true;
    const [, name] = /^(\S+) != ''$/.exec(term) ?? [];
    if (name === undefined) throw new Error(`the runner of the tests does not know the condition ${term}`);
    return (values.get(name) ?? '') !== '';
  });
}

const resolveAll = (texts: Record<string, string>, values: Readonly<Values>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, resolve(text, values)]));

/** Replaces `${{ inputs.a }}` and `${{ steps.b.outputs.c }}`. */
const resolve = (text: string, values: Readonly<Values>): string =>
  text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => values.get(name) ?? '');

import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeFiles } from '../support/ci-repository.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT } from '../support/root.js';
import { type ActionRun, runAction } from './composite.js';

export interface JobOptions {
  inputs: Record<string, string>;
  /** The program that is run instead of the built one. */
  program?: string;
  /** The checkout of the Action, if not the one of the tests. */
  actionPath?: string;
}

export interface BuiltAction {
  /** The scripts of the Action. Its key is a hash of all files, so a checkout without sources is faster. */
  checkout: string;
  /** Runs the Action with the tool in the cache. */
  run(workspace: string, options: JobOptions): Promise<ActionRun>;
}

/** Bundles the program of the Action as its installation does. */
export async function buildAction(): Promise<BuiltAction> {
  const checkout = temporaryFolder();
  cpSync(join(ROOT, 'tools/github-action'), join(checkout, 'tools/github-action'), { recursive: true });
  const bundle = join(temporaryFolder(), 'action.mjs');
  await build({
    entryPoints: [join(ROOT, 'tools/github-action/main.mts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const { GRPC_XDS_BOOTSTRAP: _file, GRPC_XDS_BOOTSTRAP_CONFIG: _text, ...env } = process.env;
  const run = (workspace: string, { inputs, program, actionPath = checkout }: JobOptions): Promise<ActionRun> =>
    runAction({
      workspace,
      temp: join(temporaryFolder(), 'temp'),
      actionPath,
      inputs,
      env,
      use(uses, { path = '' }) {
        if (!uses.startsWith('actions/cache@')) return;
        const installed = join(path, 'node_modules/xds-inspect');
        writeFiles(path, { 'action.mjs': readFileSync(bundle, 'utf8') });
        mkdirSync(join(path, 'node_modules'));
        if (program === undefined) symlinkSync(ROOT, installed);
        else writeFiles(installed, { 'bin/xds-inspect.js': program });
      },
    });
  return { checkout, run };
}

import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type ActionRun, runAction } from '../../github-action/composite.js';
import { REJECTED_CLUSTER, RESOURCES, writeFiles } from '../../support/ci-repository.js';
import { keptFolder } from '../../support/clean-up.js';
import { cloneTo } from '../support/clone.js';
import { reportFigure } from '../support/report-figure.js';

const { GRPC_XDS_BOOTSTRAP: _file, GRPC_XDS_BOOTSTRAP_CONFIG: _text, ...env } = process.env;

let checkout: string;
beforeAll(async () => {
  checkout = keptFolder();
  await cloneTo(checkout);
});

/** Runs the Action on a rejected cluster. The cache has the folder of an earlier job, if there is one. */
async function job(cached?: string): Promise<ActionRun & { folder: string; seconds: number }> {
  const workspace = keptFolder();
  writeFiles(workspace, { ...RESOURCES, 'cluster.yaml': REJECTED_CLUSTER });
  const began = performance.now();
  let folder = '';
  const run = await runAction({
    workspace,
    temp: keptFolder(),
    actionPath: checkout,
    inputs: { files: '*.yaml' },
    env,
    use(uses, { path = '' }) {
      if (!uses.startsWith('actions/cache@')) return;
      folder = path;
      if (cached !== undefined) cpSync(cached, path, { recursive: true, verbatimSymlinks: true });
    },
  });
  return { ...run, folder, seconds: (performance.now() - began) / 1000 };
}

it('builds the tool from the checkout of the Action, and uses it again from the cache', async () => {
  const first = await job();
  const second = await job(first.folder);
  for (const { code, log, path } of [first, second]) {
    expect(code, log).toBe(79);
    expect(log).toMatch(/^::error file=cluster\.yaml,line=1,col=\d+,title=XI100::/m);
    expect(existsSync(join(path.trim(), 'xds-inspect'))).toBe(true);
  }
  expect(first.log).toContain('::group::Install xds-inspect');
  expect(second.log).not.toContain('::group::Install xds-inspect');
  const seconds = [first, second].map((run) => `${run.seconds.toFixed(0)} s`);
  reportFigure(`GitHub Action: ${seconds[0]} with the installation, ${seconds[1]} from the cache`);
}, 600_000);

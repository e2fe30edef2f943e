import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { bootstrapFor, REJECTED_CLUSTER, RESOURCES, writeFiles } from '../../support/ci-repository.js';
import { keptFolder } from '../../support/clean-up.js';
import { commandOf } from '../support/built-peers.js';
import { cloneTo, commitAll } from '../support/clone.js';

let hooks: string;
let revision: string;
let home: string;
beforeAll(async () => {
  hooks = keptFolder();
  home = keptFolder();
  await cloneTo(hooks);
  revision = await commitAll(hooks);
  // Installs the hooks.
  preCommit({ 'bootstrap.json': bootstrapFor('127.0.0.1:1') });
}, 600_000);

/** Runs pre-commit on a repository with these files, and returns the results of the hooks. */
function preCommit(
  files: Record<string, string | object>,
  settings: object = {},
): { code: number | null; output: string } {
  const repository = keptFolder();
  const ids = ['xds-inspect-bootstrap', 'xds-inspect-resources'];
  const config = { repos: [{ repo: hooks, rev: revision, hooks: ids.map((id) => ({ id, ...settings })) }] };
  writeFiles(repository, { ...files, '.pre-commit-config.yaml': stringify(config) });
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
  ])
    spawnSync('git', args, { cwd: repository });
  const [command, ...args] = commandOf('pre-commit');
  const env = { ...process.env, PRE_COMMIT_HOME: join(home, 'pre-commit'), PRE_COMMIT_COLOR: 'never' };
  const { status, stdout, stderr } = spawnSync(command, [...args, 'run', '--all-files'], {
    cwd: repository,
    env,
    encoding: 'utf8',
  });
  return { code: status, output: `${stdout}${stderr}` };
}

const resources = Object.fromEntries(Object.entries(RESOURCES).map(([name, resource]) => [`xds/${name}`, resource]));

describe('pre-commit, with the hooks of a clone', () => {
  it('passes if bootstraps and resources are valid', () => {
    const files = { ...resources, 'a/my-bootstrap.json': bootstrapFor('a:1'), 'bootstrap.json': bootstrapFor('b:1') };
    const { code, output } = preCommit(files);
    expect(output).toMatch(/^xDS bootstraps\.+Passed$/m);
    expect(output).toMatch(/^xDS resources\.+Passed$/m);
    expect(code).toBe(0);
  });

  it('fails with the place of the problem if one is invalid', () => {
    const files = { ...resources, 'xds/cluster.yaml': REJECTED_CLUSTER, 'bootstrap.json': { xds_servers: [] } };
    const { code, output } = preCommit(files);
    expect(code).toBe(1);
    expect(output).toMatch(/^xDS bootstraps\.+Failed\n- hook id: xds-inspect-bootstrap\n- exit code: 65$/m);
    expect(output).toMatch(/^xDS resources\.+Failed\n- hook id: xds-inspect-resources\n- exit code: 79$/m);
    expect(output).toMatch(/^xds\/cluster\.yaml:1:\d+ +NACK +lb_policy: /m);
  });

  it('skips files of other names, unless the configuration selects them', () => {
    const files = { 'clusters/blue.yaml': REJECTED_CLUSTER };
    expect(preCommit(files).output).toMatch(/^xDS resources\.+\(no files to check\)Skipped$/m);
    const { output } = preCommit(files, { files: '^clusters/', types: ['yaml'] });
    expect(output).toMatch(/^clusters\/blue\.yaml:1:\d+ +NACK /m);
  });
});

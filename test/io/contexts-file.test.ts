import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextsPath, findContext, loadContexts } from '../../src/io/contexts-file.js';
import { temporaryFolder } from '../support/clean-up.js';

/** Writes a configuration file, and returns its path and the environment that names it. */
function file(text: string) {
  const path = join(temporaryFolder(), 'config.yaml');
  writeFileSync(path, text);
  return { path, env: { variables: { XDS_INSPECT_CONFIG: path, HOME: '/home/me' }, program: 'xds-inspect' } };
}

describe('the configuration file', () => {
  it.each<[what: string, variables: Record<string, string>, path: string]>([
    ['XDS_INSPECT_CONFIG', { XDS_INSPECT_CONFIG: '/a/b.yaml', XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/a/b.yaml'],
    ['a relative XDS_INSPECT_CONFIG', { XDS_INSPECT_CONFIG: 'b.yaml' }, join(process.cwd(), 'b.yaml')],
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/xds-inspect/config.yaml'],
    ['a relative XDG_CONFIG_HOME', { XDG_CONFIG_HOME: 'x', HOME: '/h' }, '/h/.config/xds-inspect/config.yaml'],
    [
      'empty variables',
      { XDS_INSPECT_CONFIG: '', XDG_CONFIG_HOME: '', HOME: '/h' },
      '/h/.config/xds-inspect/config.yaml',
    ],
    ['the profile of Windows', { USERPROFILE: '/u' }, '/u/.config/xds-inspect/config.yaml'],
  ])('is found with %s', (_what, variables, path) => {
    expect(contextsPath({ variables })).toBe(path);
  });

  it('has no contexts if it does not exist', () => {
    const path = join(temporaryFolder(), 'no/config.yaml');
    const variables = { XDS_INSPECT_CONFIG: path };
    expect(loadContexts({ variables })).toEqual({ path, exists: false, contexts: new Map() });
    const find = () => findContext('prod', { variables, program: 'xds-inspect' });
    expect(find).toThrow(
      `no context "prod": ${path} does not exist. "xds-inspect context list" shows how to create it`,
    );
    expect(find).toThrow(expect.objectContaining({ exitCode: 65 }));
  });

  it('resolves paths from its folder, and ~ from the home folder', () => {
    const { path, env } = file(
      'contexts: { a: { server: h:1, cacert: tls/ca.pem, cert: ~/c.pem, key: /k.pem, token_file: t, csds: { addresses: [h:1], cacert: ../ca } } }',
    );
    const { connecting, csds } = findContext('a', env).context;
    const folder = join(path, '..');
    expect(connecting).toEqual({
      server: 'h:1',
      cacert: join(folder, 'tls/ca.pem'),
      cert: '/home/me/c.pem',
      key: '/k.pem',
      tokenFile: join(folder, 't'),
    });
    expect(csds).toEqual({ addresses: ['h:1'], cacert: join(folder, '../ca') });
  });

  it('suggests the name of a context', () => {
    const { path, env } = file('contexts: { prod: { bootstrap: b }, staging: { bootstrap: b } }');
    const find = (name: string) => () => findContext(name, env);
    expect(find('prodd')).toThrow(`no context "prodd" in ${path} (did you mean "prod"?): it has prod, staging`);
    expect(find('__proto__')).toThrow(`no context "__proto__" in ${path}: it has prod, staging`);
    const many = file(`contexts:\n${Array.from({ length: 30 }, (_, i) => `  c${i}: { bootstrap: b }\n`).join('')}`);
    expect(() => findContext('x', many.env)).toThrow('c19 and 10 more');
    expect(() => findContext('x', file('contexts: {}').env)).toThrow('it has no contexts');
  });

  it('is rejected with all its problems, also for a valid context', () => {
    const { path, env } = file('contexts:\n  good: { bootstrap: b }\n  bad: { server: x }\n  worse: { a: b }\n');
    const find = () => findContext('good', env);
    expect(find).toThrow(`${path}:3:10: contexts.bad.server: expected host:port`);
    expect(find).toThrow(`${path}:4:3: contexts.worse: "bootstrap", "server" or "kube" is missing`);
    expect(find).toThrow(`${path}:4:12: contexts.worse.a: unknown key`);
    expect(find).toThrow(expect.objectContaining({ exitCode: 65 }));
  });

  it('must be a regular file of at most 1 MiB', () => {
    const folder = temporaryFolder();
    const load = (name: string) => () => loadContexts({ variables: { XDS_INSPECT_CONFIG: join(folder, name) } });
    mkdirSync(join(folder, 'folder'));
    expect(load('folder')).toThrow('cannot be read: it is a folder');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(load('pipe')).toThrow('cannot be read: it is not a regular file');
    writeFileSync(join(folder, 'large'), `contexts: {}\n${'#'.repeat(1024 * 1024)}`);
    expect(load('large')).toThrow('cannot be read: it has more than 1 MiB');
    writeFileSync(join(folder, 'plain'), '');
    expect(load('plain/below')().exists).toBe(false);
  });
});

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installInto, packInto } from '../../tools/smoke/installed-package.ts';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';

let folder: string;

/** Packs the build and installs it in an empty folder. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-install-'));
  installInto(folder, packInto(ROOT, folder));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const home = (): string => join(folder, 'home');
const bin = (): string => join(home(), 'node_modules/.bin/xds-inspect');

describe('the installed package', () => {
  it('puts a working xds-inspect on the PATH', () => {
    const PATH = `${join(home(), 'node_modules/.bin')}:${process.env.PATH}`;
    expect(
      execFileSync('xds-inspect', ['--version'], { cwd: home(), encoding: 'utf8', env: { ...process.env, PATH } }),
    ).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('prints YAML, even for an unreachable server', () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const env = { ...process.env, GRPC_XDS_BOOTSTRAP_CONFIG: config };
    for (const command of ['report', 'status', 'config', 'tears', 'explain']) {
      const flags = command === 'tears' ? ['--for', '300ms'] : ['--timeout', '3s'];
      const { status, stdout } = spawnSync(bin(), [command, 'greeter', '-o', 'yaml', ...flags], {
        env,
        encoding: 'utf8',
      });
      expect(status, command).toBe(69);
      expect(stdout).toContain(`schema: xds-inspect/${command}/v1\n`);
    }
  });

  it('starts with compiled code of the package on the Node that built it before Node 22', () => {
    const isPacked = existsSync(join(home(), 'node_modules/xds-inspect/dist/code.pack'));
    expect(isPacked).toBe(Number.parseInt(process.versions.node, 10) < 22);
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const list = join(home(), 'list.cjs');
    writeFileSync(
      list,
      "process.on('exit', () => console.error(Object.keys(require.cache).some((file) => file.endsWith('cli.js'))));",
    );
    const run = (env: Record<string, string>): { stdout: string; hasFiles: boolean } => {
      const argv = [`--require=${list}`, bin(), '--help'];
      const base = { PATH: process.env.PATH, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' };
      const { stdout, stderr } = spawnSync('node', argv, { encoding: 'utf8', env: { ...base, ...env } });
      return { stdout, hasFiles: stderr.trim() === 'true' };
    };
    const started = run({});
    expect(started).toEqual({ stdout: expect.stringContaining('Commands:'), hasFiles: !isPacked });
    expect(run({ XDS_INSPECT_NO_CACHE: '1' })).toEqual({ ...started, hasFiles: true });
    // V8 refuses code that was compiled with other flags.
    expect(run({ NODE_OPTIONS: '--max-old-space-size=512' }).stdout).toBe(started.stdout);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('loads grpc-js and the xDS API only on use', () => {
    const script =
      "require('./node_modules/xds-inspect/dist/cli.js'); console.log(JSON.stringify(Object.keys(require.cache)))";
    const loaded = JSON.parse(execFileSync('node', ['-e', script], { cwd: home(), encoding: 'utf8' })) as string[];
    const code = loaded.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(loaded.length).toBeGreaterThan(0);
    expect(code.length).toBeLessThan(250_000);
    // The last is a token of the YAML parser.
    expect(code).not.toMatch(/http2|envoy\.config|flow-error-end/);
  });

  it('writes a report page, and loads the code for it only then', () => {
    writeFileSync(
      join(home(), 'loaded.cjs'),
      "process.on('exit', () => require('node:fs').writeFileSync('loaded.json', JSON.stringify(Object.keys(require.cache))));",
    );
    const recording = join(ROOT, 'fixtures/recordings/first-look.xdsrec');
    const run = (...flags: string[]): { output: string; code: string } => {
      const argv = [`--require=${join(home(), 'loaded.cjs')}`, bin(), 'replay', recording, ...flags];
      const env = { ...process.env, XDS_INSPECT_NO_CACHE: '1' };
      const output = execFileSync('node', argv, { cwd: home(), encoding: 'utf8', env });
      const loaded = JSON.parse(readFileSync(join(home(), 'loaded.json'), 'utf8')) as string[];
      return { output, code: loaded.map((file) => readFileSync(file, 'utf8')).join('\n') };
    };
    const [plain, page] = [run(), run('-o', 'html')];
    expect(page.output).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    for (const part of ['Content-Security-Policy', 'dist/page', 'createGzip']) {
      expect(page.code, part).toContain(part);
      expect(plain.code, part).not.toContain(part);
    }
  });

  it('completes the contexts of the configuration file in bash', () => {
    const config = join(home(), 'config.yaml');
    writeFileSync(config, 'contexts: { prod: { bootstrap: b.json }, preprod: { bootstrap: b.json } }');
    const driver = `source <("$1" completion bash); COMP_WORDS=("$1" status --context p) COMP_CWORD=3; _xds_inspect; echo "\${COMPREPLY[@]}"`;
    const env = { ...process.env, XDS_INSPECT_CONFIG: config };
    expect(execFileSync('bash', ['--norc', '-c', driver, 'bash', bin()], { encoding: 'utf8', env })).toBe(
      'prod preprod\n',
    );
  });

  it('prints its manual, offline', () => {
    for (const [word, start] of Object.entries({
      XI204: '# XI204: ',
      tear: '# config tear\n',
      report: '# xds-inspect report\n',
    }))
      expect(execFileSync(bin(), ['docs', word], { cwd: home(), encoding: 'utf8' }).slice(0, start.length)).toBe(start);
  });

  it('prints JSON Schemas, from its files and from the xDS API', () => {
    for (const [word, part] of Object.entries({
      bootstrap: 'xds_servers',
      scenario: 'edsClusterConfig',
      eds: 'lb_endpoints',
    })) {
      const text = execFileSync(bin(), ['schema', word], { cwd: home(), encoding: 'utf8', maxBuffer: 1 << 24 });
      expect(JSON.stringify(JSON.parse(text)), word).toContain(`"${part}":`);
    }
  });

  it('runs the demo', () => {
    const output = execFileSync(bin(), ['demo'], { cwd: home(), encoding: 'utf8' });
    expect(output).toContain('7 of 7');
    expect(output).toMatch(/^Next:\n {2}xds-inspect <target>/m);
  });

  it('contains no other package, no sources and no tests', () => {
    expect(readdirSync(join(home(), 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['xds-inspect']);
    expect(readdirSync(join(home(), 'node_modules/xds-inspect')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'dist',
      'docs',
      'fixtures',
      'package.json',
    ]);
    expect(statSync(join(home(), 'node_modules/xds-inspect/dist/THIRD-PARTY-LICENSES.txt')).size).toBeGreaterThan(
      10_000,
    );
    // `check --init` writes this path for editors.
    const schema = join(home(), 'node_modules/xds-inspect/docs/schemas/expectations.schema.json');
    expect(statSync(schema).size).toBeGreaterThan(10_000);
  });

  it('is a library for ES modules and CommonJS, with types', () => {
    writeFileSync(
      join(home(), 'a.mjs'),
      "import { Engine, RESOURCE_TYPES } from 'xds-inspect'; console.log(typeof Engine, RESOURCE_TYPES.LDS);",
    );
    writeFileSync(join(home(), 'b.cjs'), "console.log(typeof require('xds-inspect').Session);");
    expect(execFileSync('node', ['a.mjs'], { cwd: home(), encoding: 'utf8' })).toBe(
      'function type.googleapis.com/envoy.config.listener.v3.Listener\n',
    );
    expect(execFileSync('node', ['b.cjs'], { cwd: home(), encoding: 'utf8' })).toBe('function\n');
    writeFileSync(
      join(home(), 'c.mts'),
      "import { Engine } from 'xds-inspect';\nconst e: Engine = new Engine({ servers: [{ uri: 'x', creds: { type: 'insecure' }, callCreds: [] }], node: { id: '', userAgentName: '', userAgentVersion: '' }, seed: 1 });\nexport const n: number | undefined = e.nextDeadline();\n",
    );
    const types = join(home(), 'node_modules/xds-inspect/dist/types/index.d.ts');
    expect(existsSync(types), 'npm run types writes the types, as npm test does').toBe(true);
    const { stdout, status } = spawnSync(
      join(ROOT, 'node_modules/.bin/tsc'),
      ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', 'c.mts'],
      { cwd: home(), encoding: 'utf8' },
    );
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('exits with 130 on Ctrl-C, without a stack trace', async () => {
    const child = spawn(bin(), ['serve', join(ROOT, 'fixtures/scenarios/demo/first-look.yaml'), '--port', '0']);
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    const code = new Promise((done) => child.on('exit', (exitCode) => done(exitCode)));
    await until(() => output.includes('Stop with Ctrl-C'), 'serve starts');
    child.kill('SIGINT');
    expect(await code).toBe(130);
    expect(output).not.toMatch(/\n\s+at /);
  });

  it('ends the demo before its last step when it is interrupted', async () => {
    const child = spawn(bin(), ['demo']);
    const code = new Promise((done) => child.on('exit', (exitCode) => done(exitCode)));
    // With the first output: on a busy machine, the demo may be over before this process reads more of it.
    child.stdout.once('data', () => child.kill('SIGINT'));
    expect(await code).toBe(130);
  });

  it('serves until interrupted, even if no server listens', async () => {
    const scenario = join(folder, 'refusing.yaml');
    writeFileSync(scenario, 'servers: { p: { state: refusing } }');
    const child = spawn(bin(), ['serve', scenario, '--port', '0']);
    let over = false;
    const code = new Promise((done) => child.on('exit', (exitCode) => done(exitCode)));
    void code.then(() => {
      over = true;
    });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    await until(() => errors.includes('Stop with Ctrl-C'), 'serve starts');
    await new Promise((next) => setTimeout(next, 300));
    expect(over).toBe(false);
    child.kill('SIGTERM');
    expect(await code).toBe(143);
  });

  it('exits without an error when the reader closes the pipe', async () => {
    const child = spawn('bash', ['-c', `${bin()} demo | head -1; echo "\${PIPESTATUS[0]}"`]);
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    await new Promise((done) => child.on('exit', done));
    expect(output).toMatch(/^Failures between gRPC and a control plane, in 7 steps\n0\n$/);
    expect(errors).toBe('');
  });
});

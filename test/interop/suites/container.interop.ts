import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../tools/peers/run.js';
import { bootstrapFor, EXPECTATIONS, RESOURCES, writeFiles } from '../../support/ci-repository.js';
import { keptFolder, temporaryFolder } from '../../support/clean-up.js';
import { ROOT } from '../../support/root.js';
import { commandOf } from '../support/built-peers.js';
import { buildImage, type Container, type Image, startContainer } from '../support/container-image.js';
import { until } from '../support/eventually.js';
import { reportFigure } from '../support/report-figure.js';

const ADDRESS = /xDS server \S+ on (127\.0\.0\.1:\d+)/;

let image: Image;
beforeAll(async () => {
  const began = performance.now();
  image = await buildImage(keptFolder());
  reportFigure(`Dockerfile: built in ${((performance.now() - began) / 1000).toFixed(0)} s without a container engine`);
}, 600_000);

/** A folder that the user of the image can read. */
async function workFolder(address = '127.0.0.1:1'): Promise<string> {
  const folder = temporaryFolder();
  writeFiles(folder, {
    ...RESOURCES,
    'bootstrap.json': bootstrapFor(address),
    'check/expectations.yaml': EXPECTATIONS,
  });
  await run('chmod', ['-R', 'a+rX', folder]);
  return folder;
}

/** Serves the resources in a container. */
async function serving(): Promise<{ plane: Container; address: string }> {
  const folder = temporaryFolder();
  writeFiles(folder, RESOURCES);
  await run('chmod', ['-R', 'a+rX', folder]);
  const plane = startContainer(image, ['serve', '.', '--port', '0'], { work: folder });
  await until(() => plane.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  return { plane, address: ADDRESS.exec(`${plane.stdout}${plane.stderr}`)?.[1] as string };
}

describe('the Dockerfile', () => {
  it('has no remark of hadolint', async () => {
    const [hadolint, ...args] = commandOf('hadolint');
    expect(await run(hadolint, [...args, join(ROOT, 'Dockerfile')])).toBe('');
  });

  it('leaves Node and the tool in the image, and no package manager, compiler or source', () => {
    expect(readdirSync(join(image.root, 'opt'))).toEqual(['xds-inspect']);
    expect(existsSync(join(image.root, 'usr/local/lib/node_modules'))).toBe(false);
    expect(readdirSync(join(image.root, 'opt/xds-inspect/lib/node_modules'))).toEqual(['xds-inspect']);
    expect(readdirSync(join(image.root, 'opt/xds-inspect/lib/node_modules/xds-inspect')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'docs',
      'fixtures',
      'package.json',
    ]);
  });
});

describe('a container of the image, with a read-only root', () => {
  it('prints its version, its manual, and as PID 1 of user 65532', async () => {
    expect(await startContainer(image, ['--version']).code).toBe(0);
    const docs = startContainer(image, ['docs', 'tear']);
    expect(await docs.code).toBe(0);
    expect(docs.stdout).toMatch(/^# config tear\n/);
    const plane = startContainer(image, ['serve', 'healthy', '--port', '0']);
    await until(() => plane.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const status = await run('cat', [`/proc/${plane.pid()}/status`]);
    expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
  });

  it('validates a bootstrap and resources of a mounted folder', async () => {
    const work = await workFolder();
    const bootstrap = startContainer(image, ['bootstrap', 'validate', 'bootstrap.json'], { work });
    expect(await bootstrap.code).toBe(0);
    expect(bootstrap.stdout).toBe('accepted: gRPC accepts this bootstrap\n');
    const resources = startContainer(image, ['validate', 'listener.yaml', 'cluster.yaml', 'endpoints.yaml'], { work });
    expect(await resources.code).toBe(0);
    expect(resources.stdout).toMatch(/3 files, 3 resources: 3 ACK/);
  });

  it('waits for, reports on and checks a control plane in another container', async () => {
    const { address } = await serving();
    const work = await workFolder(address);
    const env = { GRPC_XDS_BOOTSTRAP: '/work/bootstrap.json' };
    for (const args of [
      ['wait', 'greeter'],
      ['greeter'],
      ['greeter', '-o', 'html'],
      ['check', 'check/expectations.yaml', '-b', 'bootstrap.json'],
    ]) {
      const container = startContainer(image, args, { work, env });
      expect(await container.code, container.stderr).toBe(0);
    }
  });

  it('says why it cannot write to the root', async () => {
    const container = startContainer(image, [
      'greeter',
      '--server',
      '127.0.0.1:1',
      '--plaintext',
      '--html',
      '/tmp/report.html',
    ]);
    expect(await container.code).not.toBe(0);
    expect(container.stderr).toMatch(/\/tmp\/report\.html.*read-only/i);
  });

  it.each([
    ['serve', ['serve', 'healthy', '--port', '0'], /Stop with Ctrl-C/],
    ['watch', ['watch', 'greeter', '-o', 'lines'], /refuse|unreachable|CONNECTING|failed/i],
    ['wait', ['wait', 'greeter', '--timeout', '10m', '-v'], /./],
    ['tears', ['tears', 'greeter', '--for', '10m', '-v'], /./],
  ])('ends as PID 1 on SIGTERM, as Kubernetes and docker stop send it: %s', async (_, args, started) => {
    const container = startContainer(image, args, {
      work: await workFolder(),
      env: { GRPC_XDS_BOOTSTRAP: '/work/bootstrap.json' },
    });
    await until(() => started.test(`${container.stdout}${container.stderr}`), 'the command has started');
    process.kill(container.pid(), 'SIGTERM');
    expect(await container.code).toBe(143);
  });
});

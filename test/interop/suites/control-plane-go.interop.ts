import { describe, expect, it } from 'vitest';
import type { PeerName } from '../../../tools/peers/peers.js';
import { runCli } from '../../support/cli.js';
import { App } from '../support/app.js';
import { backend } from '../support/backend.js';
import { until } from '../support/eventually.js';
import { cluster, endpoints, listener, manyEndpoints, routes } from '../support/greeter.js';
import { everyCommandShows, statusFinds } from '../support/inspecting.js';
import { Plane } from '../support/plane.js';
import { planeChanges, TARGET, VALID } from '../support/plane-changes.js';
import { reportFigure } from '../support/report-figure.js';
import { Watching } from '../support/watching.js';

planeChanges('go-plane');

describe('go-control-plane', () => {
  it('sends LDS when a listener is deleted and when it is restored', async () => {
    const plane = await Plane.start('go-plane');
    await plane.serve('1', VALID);
    const watching = new Watching(TARGET, plane.variables);
    await watching.waitFor({ kind: 'config', change: 'published' });
    await plane.serve('2', VALID.slice(1));
    await watching.waitFor({ kind: 'error', type: 'LDS', name: 'greeter', cause: 'deletion' });
    await watching.waitFor({ kind: 'finding', code: 'XI204', type: 'LDS' });
    await plane.serve('3', VALID);
    await watching.waitFor({ kind: 'resource', type: 'LDS', name: 'greeter', change: 'cleared' });
  });

  it('responds to "*" with empty responses, again and again', async () => {
    const plane = await Plane.start('go-plane');
    await plane.serve('1', VALID);
    const all = await runCli(['get', 'cds', '-o', 'name'], plane.variables);
    expect([all.code, all.stdout]).toEqual([0, 'one\n']);
    const { code, stdout, stderr } = await runCli(['get', 'cds', '*', '--watch', '--for', '3s'], plane.variables);
    expect([code, stdout]).toEqual([79, '']);
    const lines = stderr.split('\n').filter((line) => line.includes('XI214'));
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines[0]).toContain(
      'CDS: the server sends empty responses repeatedly to a client that subscribes to "*", now version 1',
    );
    reportFigure(`${plane.version}: ${(await plane.report()).responses} responses to "*" in 3 s; XI214`);
  });
});

describe('go-control-plane with ads=true', () => {
  it('responds if the request names every resource in the snapshot', async () => {
    const plane = await Plane.start('go-plane', ['ads']);
    await plane.serve('1', VALID);
    await everyCommandShows({ target: TARGET, cluster: 'one', address: '127.0.0.1:1001' }, plane.variables);
  });

  it('does not respond if the request names only some of them', async () => {
    const plane = await Plane.start('go-plane', ['ads']);
    await plane.serve('1', [...VALID, cluster('two'), endpoints('two', 1002)]);
    const { code, findings } = await statusFinds(TARGET, plane.variables);
    expect(code).toBe(79);
    expect(findings).toMatchObject([
      {
        code: 'XI201',
        type: 'CDS',
        message: 'No response to the request for CDS one within 15.0 s, although the server responds for LDS, RDS',
        advice: expect.stringContaining(
          'go-control-plane with ads=true responds only if the request names every resource in the snapshot',
        ),
      },
    ]);
    reportFigure(`${plane.version} with ads=true: no response to a subset; XI201`);
  });
});

describe('a response of more than 4 MiB', () => {
  const large = [listener(), routes('one'), cluster('one'), manyEndpoints('one', 60_000)];

  it('is reported (XI215), also by clients that cannot read it', async () => {
    const plane = await Plane.start('go-plane');
    await plane.serve('1', large);
    for (const flags of [[], ['--as', 'c-core', '--timeout', '8s']]) {
      const { findings } = await statusFinds(TARGET, plane.variables, ...flags);
      expect(findings).toMatchObject([{ code: 'XI215', message: expect.stringMatching(/ 4194304/) }]);
    }
  });

  const clients: PeerName[] = ['grpc-go-app', 'c-core-app'];
  for (const client of clients) {
    it(`makes ${client} reconnect again and again without an error in CSDS`, async () => {
      const { port } = await backend('blue');
      const plane = await Plane.start('go-plane');
      await plane.serve('1', [listener(), routes('one'), cluster('one'), endpoints('one', port)]);
      const app = await App.start(client, plane.variables);
      expect(await app.call(TARGET, { timeout: 30, waitForReady: true })).toMatchObject({ answer: 'blue' });

      await plane.serve('2', large);
      await until(async () => (await plane.report()).streams >= 4, `${client} reconnects`);
      expect(await app.call(TARGET, { timeout: 30 })).toMatchObject({ code: 'OK', answer: 'blue' });
      const { stdout } = await runCli(['csds', app.admin, '--plaintext', '-o', 'json'], {});
      const resources = JSON.parse(stdout).scopes.flatMap((scope: { resources: object[] }) => scope.resources);
      expect(resources).toHaveLength(4);
      for (const resource of resources) expect(resource).toMatchObject({ status: 'ACKED', error: null });

      const { streams } = await plane.report();
      reportFigure(`${app.version}: ${streams} streams for a response of more than 4 MiB, and no error in CSDS; XI215`);
    });
  }
});

import { describe, expect, it } from 'vitest';
import type { PeerName } from '../../../tools/peers/peers.js';
import { runCli } from '../../support/cli.js';
import { cluster, endpoints, listener, routes } from './greeter.js';
import { everyCommandShows, statusFinds } from './inspecting.js';
import { Plane } from './plane.js';
import { reportFigure } from './report-figure.js';
import { Watching } from './watching.js';

export const TARGET = 'xds:///greeter';

/** One cluster with one endpoint. */
export const VALID = [listener(), routes('one'), cluster('one'), endpoints('one', 1001)];

/** The same with a cluster that gRPC rejects. */
export const INVALID = [listener(), routes('one'), cluster('one', { type: 'STATIC' }), endpoints('one', 1001)];

/** Tests for every control plane that serves snapshots. */
export function planeChanges(peer: PeerName): void {
  describe(`a snapshot of ${peer}`, () => {
    it('is shown by every command', async () => {
      const plane = await Plane.start(peer);
      await plane.serve('1', VALID);
      await everyCommandShows({ target: TARGET, cluster: 'one', address: '127.0.0.1:1001' }, plane.variables);
      reportFigure(`${plane.version}: status, explain, get, tears, check and config agree`);
    });

    it('is followed by watch through updates, a NACK and a restart', async () => {
      const plane = await Plane.start(peer);
      await plane.serve('1', VALID);
      const watching = new Watching(TARGET, plane.variables);
      await watching.waitFor({ kind: 'config', change: 'published' });

      await plane.serve('2', [listener(), routes('one'), cluster('one'), endpoints('one', 1002)]);
      await watching.waitFor({ kind: 'resource', type: 'EDS', name: 'one', version: '2' });

      const two = [cluster('two'), endpoints('two', 1003)];
      await plane.serve('3', [listener(), routes('two'), cluster('one'), endpoints('one', 1002), ...two]);
      await watching.waitFor({ kind: 'resource', type: 'EDS', name: 'two', version: '3' });
      await watching.waitFor({ kind: 'config', change: 'published' });

      await plane.serve('4', [listener(), routes('two'), cluster('two', { type: 'STATIC' }), endpoints('two', 1003)]);
      await watching.waitFor({ kind: 'error', type: 'CDS', name: 'two', cause: 'nack' });
      await watching.waitFor({ kind: 'finding', change: 'opened', code: 'XI203', type: 'CDS' });
      await plane.serve('5', [listener(), routes('two'), ...two]);
      await watching.waitFor({ kind: 'finding', change: 'ended', code: 'XI203' });

      await plane.stop();
      await watching.waitFor({ kind: 'stream', change: 'ended' });
      await plane.restart();
      await plane.serve('6', [listener(), routes('two'), cluster('two'), endpoints('two', 1004)]);
      await watching.waitFor({ kind: 'stream', change: 'opened' });
      await watching.waitFor({ kind: 'resource', type: 'EDS', name: 'two', version: '6' });
      expect(await watching.end()).toBe(130);
      reportFigure(`${plane.version}: update, new cluster, NACK and its repair, restart, all printed by watch`);
    });
  });

  describe(`a NACKed response of ${peer}`, () => {
    it('is resent without a pause, and commands print one finding for it', async () => {
      const plane = await Plane.start(peer);
      await plane.serve('1', INVALID);
      const { code, findings } = await statusFinds(TARGET, plane.variables);
      const [loop] = findings.filter((finding) => finding.code === 'XI203');
      expect(code).toBe(79);
      expect(loop).toMatchObject({ type: 'CDS', count: expect.any(Number) });
      expect(loop?.message).toMatch(/^CDS version 1 is resent after each NACK: .*unknown discovery type/);
      expect((await plane.report()).nacks).toBeGreaterThanOrEqual(20);

      for (const command of [['status'], ['config'], ['explain'], ['tears', '--for', '2s'], ['watch', '--for', '3s']]) {
        const { stdout } = await runCli([...command, TARGET], plane.variables);
        const lines = stdout.split('\n').filter((line) => line.includes('XI203'));
        expect([command[0], lines.length > 0 && lines.length <= 3]).toEqual([command[0], true]);
        expect(stdout.split('\n').length).toBeLessThan(150);
      }
      const got = await runCli(['get', 'cds', 'one', '--watch', '--for', '2s'], plane.variables);
      expect(got.stderr.match(/XI203/g)?.length ?? 0).toBeLessThanOrEqual(3);
      expect(got.stderr).toContain('XI203 error');
      reportFigure(`${plane.version}: a NACKed response is sent again ${loop?.rate ?? '?'} times a second; XI203`);
    });
  });
}

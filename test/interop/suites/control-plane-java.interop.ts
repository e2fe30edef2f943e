import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { cluster, endpoints, listener, routes } from '../support/greeter.js';
import { statusFinds } from '../support/inspecting.js';
import { Plane } from '../support/plane.js';
import { INVALID, planeChanges, TARGET, VALID } from '../support/plane-changes.js';
import { reportFigure } from '../support/report-figure.js';
import { Watching } from '../support/watching.js';

planeChanges('java-plane');

describe('java-control-plane', () => {
  it('resends endpoints while it resends a rejected cluster', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', VALID);
    const watching = new Watching(TARGET, plane.variables);
    await watching.waitFor({ kind: 'config', change: 'published' });
    await plane.serve('2', INVALID);
    await watching.waitFor({ kind: 'finding', change: 'opened', code: 'XI203', type: 'CDS' });
    const { message } = await watching.waitFor({ kind: 'finding', change: 'opened', code: 'XI214', type: 'EDS' });
    expect(message).toBe('EDS: the server sends unchanged responses repeatedly, now version 2');
    await plane.serve('3', VALID);
    await watching.waitFor({ kind: 'finding', change: 'ended', code: 'XI214', type: 'EDS' });
    expect(watching.events.length).toBeLessThan(500);
    reportFigure(`${plane.version}: EDS in the loop of a rejected CDS response; XI214`);
  });

  it('responds for no name when one is unknown', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', [
      listener(),
      routes('one', 'routes', ['two']),
      cluster('one'),
      cluster('two'),
      endpoints('one', 1001),
    ]);
    const { code, findings } = await statusFinds(TARGET, plane.variables);
    expect(code).toBe(79);
    expect(findings).toMatchObject([
      { code: 'XI202', type: 'EDS', advice: expect.stringContaining('java-control-plane') },
    ]);
    expect(findings[0]?.message).toMatch(
      /^No response for any of EDS (one, two|two, one) within 15\.0 s, although the server responds for LDS, RDS, CDS$/,
    );
    reportFigure(`${plane.version}: no response for any name if one is unknown; XI202`);
  });

  it('sends no LDS on an existing stream when a listener is deleted or restored', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', VALID);
    const watching = new Watching(TARGET, plane.variables);
    await watching.waitFor({ kind: 'config', change: 'published' });
    const inAll = async (version: string, types: string[]): Promise<void> => {
      for (const type of types) await watching.waitFor({ kind: 'request', type, version });
    };
    await plane.serve('2', VALID);
    await inAll('2', ['CDS', 'EDS', 'LDS', 'RDS']);
    await plane.serve('3', VALID.slice(1));
    await inAll('3', ['CDS', 'EDS', 'RDS']);
    const { message } = await watching.waitFor({ kind: 'finding', change: 'opened', code: 'XI224', type: 'LDS' });
    expect(message).toBe('LDS stays at version 2, although RDS, CDS, EDS advanced from it to version 3');

    // On a new stream it does not respond for the listener, as for every name that it does not have.
    const { findings } = await statusFinds(TARGET, plane.variables);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'XI201',
        message:
          'No response to the request for LDS greeter within 15.0 s: the server has not responded to any request on this stream',
      }),
    );

    await plane.serve('4', VALID);
    await inAll('4', ['CDS', 'EDS', 'RDS']);
    expect(watching.events.filter(({ kind, type }) => kind === 'response' && type === 'LDS')).toHaveLength(2);
    reportFigure(`${plane.version}: no LDS when a listener is deleted or restored; XI224`);
  });

  it('responds only to the first request, which contains the node id', async () => {
    const plane = await Plane.start('java-plane', ['by-node']);
    await plane.serve('1', VALID);
    const { findings } = await statusFinds(TARGET, plane.variables);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'XI201',
        message:
          'No response to the request for RDS routes within 15.0 s, although the server responded to the first request, for LDS',
        advice: expect.stringContaining('node id, which gRPC sends only in the first request of a stream'),
      }),
    );
    reportFigure(`${plane.version} with a snapshot for each node: responds only to the first request; XI201`);
  });

  it('does not respond to "*"', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', VALID);
    const { code, stderr } = await runCli(['get', 'cds', '*'], plane.variables);
    expect(code).toBe(75);
    expect(stderr).toContain(
      'no response in time; some servers respond only to requests with resource names, or without\n',
    );
    expect(stderr).toContain(
      'XI201 warning  No response to the request for CDS * within 15.0 s: the server has not responded to any request on this stream\n',
    );
    const all = await runCli(['get', 'cds', '-o', 'name'], plane.variables);
    expect([all.code, all.stdout]).toEqual([0, 'one\n']);
  });
});

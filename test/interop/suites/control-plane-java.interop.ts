import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { cluster, endpoints, listener, routes } from '../support/greeter.js';
import { statusFinds } from '../support/inspecting.js';
import { Plane } from '../support/plane.js';
import { GOOD, planeChanges, REFUSED, TARGET } from '../support/plane-changes.js';
import { seen } from '../support/seen.js';
import { Watching } from '../support/watching.js';

planeChanges('java-plane');

describe('java-control-plane', () => {
  it('sends endpoints again and again while it does so with a cluster that is refused', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', GOOD);
    const watching = new Watching(TARGET, plane.variables);
    await watching.saw({ kind: 'config', change: 'published' });
    await plane.serve('2', REFUSED);
    await watching.saw({ kind: 'finding', change: 'opened', code: 'XI203', type: 'CDS' });
    const { message } = await watching.saw({ kind: 'finding', change: 'opened', code: 'XI214', type: 'EDS' });
    expect(message).toBe('EDS is sent again and again with nothing new in it, now version 2');
    await plane.serve('3', GOOD);
    await watching.saw({ kind: 'finding', change: 'ended', code: 'XI214', type: 'EDS' });
    expect(watching.events.length).toBeLessThan(500);
    seen(`${plane.version}: EDS in the loop of a refused CDS; XI214`);
  });

  it('is silent for all names when one is unknown', async () => {
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
      /^No answer for any of EDS (one, two|two, one) for 15\.0 s, though the server answers LDS, RDS, CDS$/,
    );
    seen(`${plane.version}: one unknown name silences all; XI202`);
  });

  it('announces neither a deleted nor a restored listener on an old stream', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', GOOD);
    const watching = new Watching(TARGET, plane.variables);
    await watching.saw({ kind: 'config', change: 'published' });
    const inAll = async (version: string, types: string[]): Promise<void> => {
      for (const type of types) await watching.saw({ kind: 'request', type, version });
    };
    await plane.serve('2', GOOD);
    await inAll('2', ['CDS', 'EDS', 'LDS', 'RDS']);
    await plane.serve('3', GOOD.slice(1));
    await inAll('3', ['CDS', 'EDS', 'RDS']);
    const { message } = await watching.saw({ kind: 'finding', change: 'opened', code: 'XI224', type: 'LDS' });
    expect(message).toBe('LDS stays at version 2, while RDS, CDS, EDS, which had it too, are at version 3');

    // On a new stream it says of the listener what it says of all that it does not have: nothing.
    const { findings } = await statusFinds(TARGET, plane.variables);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'XI201',
        message: 'No answer to the request for LDS greeter for 15.0 s: the server has answered nothing on this stream',
      }),
    );

    await plane.serve('4', GOOD);
    await inAll('4', ['CDS', 'EDS', 'RDS']);
    expect(watching.events.filter(({ kind, type }) => kind === 'response' && type === 'LDS')).toHaveLength(2);
    seen(`${plane.version}: a deleted listener is not announced, nor that it is back; XI224`);
  });

  it('forgets who asks after the first request', async () => {
    const plane = await Plane.start('java-plane', ['by-node']);
    await plane.serve('1', GOOD);
    const { findings } = await statusFinds(TARGET, plane.variables);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'XI201',
        message:
          'No answer to the request for RDS routes for 15.0 s, though the server has answered the first request, for LDS',
        advice: expect.stringContaining('node id, which gRPC sends only in the first request of a stream'),
      }),
    );
    seen(`${plane.version} with a snapshot a node: only the first request is answered; XI201`);
  });

  it('is silent to "*"', async () => {
    const plane = await Plane.start('java-plane');
    await plane.serve('1', GOOD);
    const { code, stderr } = await runCli(['get', 'cds', '*'], plane.variables);
    expect(code).toBe(75);
    expect(stderr).toContain(
      'no response in time; some servers respond only to requests with resource names, or without\n',
    );
    expect(stderr).toContain(
      'XI201 warning  No answer to the request for CDS * for 15.0 s: the server has answered nothing on this stream\n',
    );
    const all = await runCli(['get', 'cds', '-o', 'name'], plane.variables);
    expect([all.code, all.stdout]).toEqual([0, 'one\n']);
  });
});

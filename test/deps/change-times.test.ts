import { describe, expect, it } from 'vitest';
import { changeSummary, changeText } from '../../src/inspect/changes/change-summary.js';
import { json } from './follow.js';
import { Plane } from './plane.js';

/** A target whose routes name the cluster `blue`, with its first configuration. */
function started(options: ConstructorParameters<typeof Plane>[0] = {}): Plane {
  const plane = new Plane(options);
  for (const server of plane.servers.values()) {
    server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('blue'));
    server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
  }
  plane.follow();
  return plane;
}

const summaryOf = (plane: Plane) => changeSummary(plane.channel, plane.clock.now());
const textOf = (plane: Plane): string | undefined => changeText(summaryOf(plane), plane.clock.now());
const timesOf = (plane: Plane): number[] => plane.channel.changes.map(({ begin, end }) => end - begin);

describe('the time of a change', () => {
  it('counts the first configuration separately', () => {
    const plane = started();
    plane.pass(1000);
    expect(plane.channel.changes).toMatchObject([{ id: 1, isFirst: true }]);
    expect(summaryOf(plane)).toMatchObject({ count: 0, first: { id: 1 }, last: undefined, ongoing: undefined });
    expect(textOf(plane)).toBeUndefined();
  });

  it('begins with the first response and ends when the configuration is complete', () => {
    const plane = started();
    plane.pass(1000);
    plane.server.set('RDS', 'r', json.routes('green')).push('RDS');
    plane.pass(700);
    const begin = plane.lastResponseAt('RDS');
    expect(summaryOf(plane).count).toBe(0);
    plane.server.set('CDS', 'green', json.eds('green', 'blue')).push('CDS');
    plane.pass(1000);
    const [, change] = plane.channel.changes;
    expect(change).toMatchObject({ begin, end: plane.lastResponseAt('CDS'), isFirst: false });
    expect(textOf(plane)).toBe(`1 change, complete 700 ms after its first response`);
  });

  it('joins responses that follow each other within 200 ms', () => {
    const plane = started();
    plane.pass(1000);
    for (let port = 1; port <= 3; port++) {
      plane.server.set('EDS', 'blue', json.endpoints('blue', port)).push('EDS');
      plane.pass(150);
    }
    expect(summaryOf(plane)).toMatchObject({ count: 0, ongoing: { isFirst: false } });
    plane.pass(100);
    expect(summaryOf(plane)).toMatchObject({ count: 1, ongoing: undefined });
    expect(timesOf(plane)[1]).toBe(300);
    plane.server.set('EDS', 'blue', json.endpoints('blue', 9)).push('EDS');
    plane.pass(1000);
    expect(timesOf(plane).slice(1)).toEqual([300, 0]);
  });

  it('lasts until the last tear is resolved', () => {
    const plane = started({ features: ['fail_on_data_errors'] });
    plane.pass(1000);
    plane.server.set('CDS', 'blue', undefined).push('CDS');
    plane.pass(5000);
    expect(summaryOf(plane)).toMatchObject({ count: 0, ongoing: { isFirst: false } });
    expect(textOf(plane)).toBe('a change is incomplete for 5.0 s');
    plane.server.set('CDS', 'blue', json.eds('blue')).push('CDS');
    plane.pass(1000);
    // The endpoints follow the cluster in a round trip.
    expect(timesOf(plane)[1]).toBe(5006);
  });

  it('ignores responses with the same contents, rejected ones, and ones for other resources', () => {
    const plane = started();
    plane.pass(1000);
    plane.server.push('CDS');
    plane.server.push('RDS');
    plane.pass(1000);
    plane.server.set('CDS', 'other', json.eds('other')).push('CDS');
    plane.pass(1000);
    expect(timesOf(plane)).toHaveLength(1);
  });

  it('ignores changes that no response caused', () => {
    const plane = new Plane();
    plane.follow();
    plane.pass(20_000);
    expect(plane.channel.state.kind).toBe('error');
    expect(timesOf(plane)).toEqual([]);
  });

  it('is summarized as the last one and the distribution', () => {
    const plane = started();
    plane.pass(1000);
    for (let n = 1; n <= 40; n++) {
      plane.server.set('RDS', 'r', json.routes(`c${n}`)).push('RDS');
      plane.pass(n * 10);
      plane.server.set('CDS', `c${n}`, json.eds(`c${n}`, 'blue')).push('CDS');
      plane.pass(1000);
    }
    expect(summaryOf(plane)).toMatchObject({ count: 40, times: { min: 10, median: 205, p95: 380, max: 400 } });
    expect(textOf(plane)).toBe(
      '40 changes, complete 400 ms (last; median 205 ms, p95 380 ms, longest 400 ms) after the first response',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { FinishedChanges } from '../../src/inspect/changes/finished-changes.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';

/** A plane, and the changes that are reported every 10 ms. */
function observed() {
  const plane = new Plane();
  plane.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('blue'));
  plane.server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
  plane.follow();
  const finished = new FinishedChanges(() => [plane.channel]);
  const lines: string[] = [];
  let seen = 0;
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 10) {
      plane.pass(10);
      for (const event of plane.events.slice(seen)) finished.observe(event);
      seen = plane.events.length;
      for (const { target, durationMs } of finished.take(plane.clock.now())) lines.push(`${target} ${durationMs}`);
    }
  };
  return { plane, lines, pass, finished };
}

describe('finished changes', () => {
  it('are reported once, when they are over', () => {
    const { plane, lines, pass, finished } = observed();
    pass(1000);
    expect(lines).toEqual([]);
    plane.server.set('RDS', 'r', json.routes('green')).push('RDS');
    pass(300);
    plane.server.set('CDS', 'green', json.eds('green', 'blue')).push('CDS');
    pass(200);
    expect(lines).toEqual([]);
    expect(finished.nextCheck).toBeGreaterThan(plane.clock.now());
    pass(1000);
    expect(lines).toEqual(['t 300']);
    plane.server.set('EDS', 'blue', json.endpoints('blue', 81)).push('EDS');
    pass(1000);
    expect(lines).toEqual(['t 300', 't 0']);
    expect(finished.nextCheck).toBeUndefined();
  });

  it('are not reported while a tear is open', () => {
    const { plane, lines, pass } = observed();
    pass(1000);
    plane.server.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
    pass(3000);
    plane.server.set('EDS', 'blue', json.endpoints('blue', 81)).push('EDS');
    pass(3000);
    expect(plane.channel.tears).toHaveLength(1);
    expect(lines).toEqual([]);
    plane.server.set('CDS', 'green', json.eds('green', 'blue')).push('CDS');
    pass(1000);
    expect(lines).toEqual(['t 6000']);
  });
});

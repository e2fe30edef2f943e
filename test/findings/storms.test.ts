import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

/** A client that follows a target with one cluster. */
function plane(): Plane {
  const made = new Plane();
  made.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('c0'));
  for (let i = 0; i < 30; i++)
    made.server.set('CDS', `c${i}`, json.eds(`c${i}`)).set('EDS', `c${i}`, json.endpoints(`c${i}`));
  made.follow();
  return made;
}

const codes = (made: Plane): string[] => made.engine.findings().map(({ code }) => code);

/** Pushes new endpoints repeatedly, and returns the codes of the findings. */
function updates(count: number, everyMs: number): string[] {
  const made = plane();
  for (let i = 0; i < count; i++) {
    made.server.set('EDS', 'c0', json.endpoints('c0', 1000 + i)).push('EDS');
    made.pass(everyMs);
  }
  return codes(made);
}

describe('response storms (XI214)', () => {
  it('reports hundreds of changes per second, but not dozens', () => {
    expect(updates(400, 2)).toEqual(['XI214']);
    expect(updates(400, 20)).toEqual([]);
  });

  it('does not report responses to many consecutive requests for new names', () => {
    const made = plane();
    for (let i = 1; i < 30; i++) {
      made.server.set('RDS', 'r', json.routes(...Array.from({ length: i }, (_, n) => `c${n}`))).push('RDS');
      made.pass(15);
    }
    expect(codes(made)).toEqual([]);
  });

  it('does not report an invalid cluster that is in every response to a new request', () => {
    const bad = 'resources: { bad: { "@type": CDS, name: bad, type: STATIC } }';
    const run = new Simulation(scenarioFrom(`${bad}\nservers: { p: { serves: [{ type: CDS, resources: [bad] }] } }`));
    const unknown = Array.from({ length: 20 }, (_, i) => `c${i}`);
    for (const name of ['bad', ...unknown]) run.watch(RESOURCE_TYPES.CDS, name);
    expect(run.events.filter((event) => event.kind === 'response' && event.refused !== undefined)).toHaveLength(21);
    expect(run.engine.findings()).toEqual([]);
  });
});

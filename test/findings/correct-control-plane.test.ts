import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import { ProtocolLint } from '../../src/findings/protocol-lint.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';
import { ROOT } from '../support/root.js';
import { Simulation, scenarioFile } from '../support/simulate.js';

const SCENARIOS = join(ROOT, 'fixtures/scenarios');
const UPDATES = 1000;

/** A control plane with a route configuration, ten clusters and their endpoints, followed by a client. */
function wellOrdered(servers?: string[]): Plane {
  const plane = new Plane(servers === undefined ? {} : { servers });
  for (const server of plane.servers.values()) {
    server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('c0', 'c1'));
    for (let i = 0; i < 10; i++)
      server.set('CDS', `c${i}`, json.eds(`c${i}`)).set('EDS', `c${i}`, json.endpoints(`c${i}`));
  }
  plane.follow();
  return plane;
}

const findingsOf = (plane: Plane): string[] => plane.engine.findings().map(({ code, message }) => `${code} ${message}`);

describe('a correct control plane', () => {
  it(`has no findings in ${UPDATES} make-before-break updates`, () => {
    const plane = wellOrdered();
    for (let i = 0; i < UPDATES; i++) {
      const [a, b] = [`c${i % 10}`, `c${(i * 7 + 3) % 10}`];
      switch (i % 4) {
        case 0:
          plane.server.set('RDS', 'r', json.routes(a, b)).push('RDS');
          break;
        case 1:
          plane.server.set('EDS', a, json.endpoints(a, 80 + i)).push('EDS');
          break;
        case 2:
          plane.server
            .set('CDS', b, { ...json.eds(b), lb_policy: i % 8 === 2 ? 'RING_HASH' : 'ROUND_ROBIN' })
            .push('CDS');
          break;
        default:
          plane.server.set('RDS', 'r', json.routes(a)).push('RDS');
      }
      plane.pass([1, 5, 40, 700][i % 4] as number);
    }
    expect(plane.events.length).toBeGreaterThan(UPDATES);
    expect(findingsOf(plane)).toEqual([]);
  });

  it('has no findings when names change faster than it responds and messages cross', () => {
    const plane = wellOrdered();
    for (let i = 0; i < UPDATES; i++) {
      plane.server.set('RDS', 'r', json.routes(`c${i % 10}`)).push('RDS');
      plane.server.push('CDS');
      plane.server.push('EDS');
      plane.pass(i % 7);
    }
    const findings = findingsOf(plane).filter((text) => !text.startsWith('XI214'));
    expect(findings).toEqual([]);
  });

  it('has no findings when it goes down and recovers, and neither has its fallback server', () => {
    const plane = wellOrdered(['p', 'q']);
    const [primary] = plane.servers.values();
    for (let i = 0; i < 5; i++) {
      primary?.goDown();
      plane.pass(30_000);
      primary?.comeUp();
      plane.pass(30_000);
      plane.server.set('RDS', 'r', json.routes(`c${i + 2}`)).push('RDS');
      plane.pass(1000);
    }
    expect(findingsOf(plane)).toEqual([]);
  });

  for (const file of readdirSync(SCENARIOS, { recursive: true, encoding: 'utf8' })) {
    if (!/^(demo|explain)\/.*\.yaml$/.test(file)) continue;
    it(`has no findings of severity error in ${file}`, () => {
      const run = new Simulation(scenarioFile(join(SCENARIOS, file)));
      const target = { target: 'greeter', listener: 'greeter', authority: 'greeter' };
      run.session.dispatch({ kind: 'follow', scope: 'greeter', ...target });
      run.clock.advanceTo(120_000);
      const errors = run.engine.findings().filter(({ severity }) => severity === 'error');
      expect(errors).toEqual([]);
    });
  }
});

describe('a second lint of the same event log reports the same findings', () => {
  const folder = join(SCENARIOS, 'findings');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    it(`for ${file}`, () => {
      const run = new Simulation(scenarioFile(join(folder, file)));
      run.session.dispatch({ kind: 'follow', scope: 's', target: 't', listener: 'greeter', authority: 'greeter' });
      run.clock.advanceTo(60_000);
      const lint = new ProtocolLint();
      for (const [at, events] of byTime(run.events)) {
        for (const event of events) lint.observe(event);
        lint.endStep(at);
      }
      lint.endStep(60_000);
      expect(lint.findings).toEqual(run.engine.findings());
    });
  }
});

function byTime(events: readonly Event[]): Map<number, Event[]> {
  const times = new Map<number, Event[]>();
  for (const event of events) {
    const known = times.get(event.at);
    if (known === undefined) times.set(event.at, [event]);
    else known.push(event);
  }
  return times;
}

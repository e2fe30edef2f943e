import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { PROTOCOL_FINDINGS } from '../../src/findings/protocol-catalogue.js';
import { ROOT } from '../support/root.js';
import { Simulation, scenarioFile } from '../support/simulate.js';

const FOLDER = join(ROOT, 'fixtures/scenarios/findings');
const MINUTES = 3;

/** What is found where a client follows `greeter` for a while. */
function found(behaviour: string): Simulation {
  const run = new Simulation(scenarioFile(join(FOLDER, `${behaviour}.yaml`)));
  run.session.dispatch({
    kind: 'follow',
    scope: 'greeter',
    target: 'greeter',
    listener: 'greeter',
    authority: 'greeter',
  });
  run.clock.advanceTo(MINUTES * 60_000);
  return run;
}

const codes = (run: Simulation): string[] => run.engine.findings().map(({ code }) => code);

/** What each scenario has the client find, first its own code; and what is found in the one nearby, if anything. */
const CASES: Record<string, { finds: string[]; nearby?: string[] }> = {
  silence: { finds: ['XI201'] },
  'only-first': { finds: ['XI201'] },
  'silence-for-all': { finds: ['XI202'] },
  'nack-loop': { finds: ['XI203'] },
  'left-out': { finds: ['XI204'] },
  unrequested: { finds: ['XI205'] },
  'nonce-reused': { finds: ['XI206'] },
  'no-nonce': { finds: ['XI207'] },
  'same-version': { finds: ['XI208'] },
  'other-replica': { finds: ['XI209'] },
  'other-type': { finds: ['XI210'] },
  'resource-and-error': { finds: ['XI211'] },
  'strange-error': { finds: ['XI212'] },
  // Endpoints that come too early were not asked for, either.
  'endpoints-first': { finds: ['XI213', 'XI205'] },
  storm: { finds: ['XI214'] },
  'too-large': { finds: ['XI215'] },
  'unasked-type': { finds: ['XI216'] },
  'unknown-type': { finds: ['XI216'] },
  undecodable: { finds: ['XI217'] },
  // C-core takes it for a deletion because it is as if the cluster were left out.
  heartbeat: { finds: ['XI218', 'XI204'] },
  'calls-that-wait': { finds: ['XI219'] },
  'no-ads': { finds: ['XI220'] },
  'ends-streams': { finds: ['XI221'] },
  'new-versions': { finds: ['XI222'] },
  // It is a request that is too large, and the server says so.
  'request-too-large': { finds: ['XI221'] },
  straggler: { finds: ['XI224'] },
  'straggler-late': { finds: [] },
  'node-refused': { finds: ['XI225'] },
  'error-forgotten': { finds: ['XI223'] },
  'error-over': { finds: ['XI223'] },
};

describe('a control plane', () => {
  for (const [behaviour, { finds, nearby = [] }] of Object.entries(CASES)) {
    it(`${behaviour}: ${finds.join(', ') || 'nothing'}, and nearby ${nearby.join(', ') || 'nothing'}`, () => {
      expect(codes(found(behaviour)).sort()).toEqual([...finds].sort());
      if (existsSync(join(FOLDER, `${behaviour}-nearby.yaml`)))
        expect(codes(found(`${behaviour}-nearby`))).toEqual(nearby);
    });
  }

  it('that is silent is told by what it does answer', () => {
    const message = (behaviour: string): string | undefined => found(behaviour).engine.findings()[0]?.message;
    expect(message('silence')).toBe(
      'No answer to the request for EDS blue for 15.0 s, though the server answers LDS, CDS',
    );
    expect(message('only-first')).toBe(
      'No answer to the request for CDS blue for 15.0 s, though the server has answered the first request, for LDS',
    );
  });

  it('has a scenario for every code, and one nearby', () => {
    expect([...new Set(Object.values(CASES).flatMap(({ finds }) => finds[0] ?? []))].sort()).toEqual(
      Object.keys(PROTOCOL_FINDINGS),
    );
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
    const named = Object.keys(CASES).flatMap((name) => [`${name}.yaml`, `${name}-nearby.yaml`]);
    expect(files.filter((name) => !named.includes(name))).toEqual([]);
  });
});

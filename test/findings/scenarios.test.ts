import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { PROTOCOL_FINDINGS } from '../../src/findings/protocol-catalogue.js';
import { ROOT } from '../support/root.js';
import { Simulation, scenarioFile } from '../support/simulate.js';

const FOLDER = join(ROOT, 'fixtures/scenarios/findings');
const MINUTES = 3;

/** Runs a scenario with a client that follows `greeter`. */
function simulate(behaviour: string): Simulation {
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

/** The findings of each scenario, its own code first. A `-valid` scenario is similar and has no findings. */
const CASES: Record<string, string[]> = {
  'no-response': ['XI201'],
  'only-first-response': ['XI201'],
  'no-response-for-any': ['XI202'],
  'nack-loop': ['XI203'],
  omitted: ['XI204'],
  'unrequested-resource': ['XI205'],
  'nonce-reused': ['XI206'],
  'no-nonce': ['XI207'],
  'same-version': ['XI208'],
  'other-replica': ['XI209'],
  'other-type': ['XI210'],
  'resource-and-error': ['XI211'],
  'unrequested-error': ['XI212'],
  // Early endpoints were not requested either.
  'endpoints-first': ['XI213', 'XI205'],
  storm: ['XI214'],
  'too-large': ['XI215'],
  'unrequested-type': ['XI216'],
  'unknown-type': ['XI216'],
  undecodable: ['XI217'],
  // C-core treats it as a deletion because the response omits the cluster.
  heartbeat: ['XI218', 'XI204'],
  'queued-rpcs': ['XI219'],
  'no-ads': ['XI220'],
  'ends-streams': ['XI221'],
  'new-versions': ['XI222'],
  // Every version deletes a cluster or returns it.
  'deleted-and-returned': ['XI204', 'XI223'],
  // Every version reports an error or clears it.
  'error-and-back': ['XI223'],
  // The server reports that a request, not a response, is too large.
  'request-too-large': ['XI221'],
  'stale-type': ['XI224'],
  'stale-type-late': [],
  'client-rejected': ['XI225'],
  'incremental-only': ['XI226'],
  'node-id-required': ['XI226'],
  'unknown-method': ['XI226'],
  'error-forgotten': ['XI223'],
  'error-cleared': ['XI223'],
};

describe('protocol lint', () => {
  for (const [behaviour, expected] of Object.entries(CASES)) {
    it(`reports ${expected.join(' and ') || 'nothing'} in scenario ${behaviour}, and nothing in its valid variant`, () => {
      expect(codes(simulate(behaviour)).sort()).toEqual([...expected].sort());
      if (existsSync(join(FOLDER, `${behaviour}-valid.yaml`)))
        expect(codes(simulate(`${behaviour}-valid`))).toEqual([]);
    });
  }

  it('names the types for which the server responds when a response is missing', () => {
    const message = (behaviour: string): string | undefined => simulate(behaviour).engine.findings()[0]?.message;
    expect(message('no-response')).toBe(
      'No response to the request for EDS blue within 15.0 s, although the server responds for LDS, CDS',
    );
    expect(message('only-first-response')).toBe(
      'No response to the request for CDS blue within 15.0 s, although the server responded to the first request, for LDS',
    );
  });

  it('names what a server that refuses the stream probably requires', () => {
    const message = (behaviour: string): string | undefined => simulate(behaviour).engine.findings()[0]?.message;
    expect(message('incremental-only')).toBe(
      'The server refuses the stream: UNKNOWN "not implemented"; it probably supports only the incremental xDS protocol',
    );
    expect(message('unknown-method')).toMatch(/; it probably supports only the incremental xDS protocol$/);
    expect(message('node-id-required')).toMatch(/; it probably requires another node id$/);
  });

  it('has a scenario for every code', () => {
    expect([...new Set(Object.values(CASES).flatMap(([own = []]) => own))].sort()).toEqual(
      Object.keys(PROTOCOL_FINDINGS),
    );
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
    const named = Object.keys(CASES).flatMap((name) => [`${name}.yaml`, `${name}-valid.yaml`]);
    expect(files.filter((name) => !named.includes(name))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

const { CDS } = RESOURCE_TYPES;

describe('Engine', () => {
  it('has one client for each scope, with its own stream and its own retries (A71)', () => {
    const run = new Simulation(
      scenarioFrom(`
resources: { a: { "@type": CDS, name: a } }
servers: { p: { serves: [{ type: CDS, resources: [a] }] } }
steps:
  - { expect: { stream: opened } }
  - { expect: { stream: opened } }
  - { stream: 1, close: UNAVAILABLE }
`),
    );
    for (const scope of ['one', 'two']) run.session.dispatch({ kind: 'watch', scope, typeUrl: CDS, name: 'a' });
    run.clock.advanceTo(5000);
    const streams = run.events.flatMap((e) => (e.kind === 'stream' ? [`${e.scope} ${e.stream} ${e.change}`] : []));
    expect(streams).toEqual(['one 1 opened', 'two 2 opened', 'one 1 ended', 'one 3 opened']);
  });

  it('has nothing due when nothing is watched', () => {
    const run = new Simulation(scenarioFrom('{}'));
    run.clock.advanceTo(1_000_000);
    expect(run.events).toEqual([]);
  });
});

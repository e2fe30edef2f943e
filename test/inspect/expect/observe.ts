import { evaluate } from '../../../src/inspect/expect/evaluate.js';
import type { What } from '../../../src/inspect/expect/expectations.js';
import type { Evaluation, Observation } from '../../../src/inspect/expect/observation.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { StatesSeen } from '../../../src/inspect/expect/states-seen.js';
import type { Plane } from '../../deps/plane.js';

/** What was seen of the one target of a plane, on its virtual time. */
export function observationOf(plane: Plane, settled: number | 'never' = 100): Observation {
  const [scope] = plane.engine.snapshot();
  if (scope === undefined) throw new Error('nothing is followed');
  const states = new StatesSeen();
  for (const event of plane.events) states.observe(event);
  const now = plane.clock.now();
  const settledAfter = settled === 'never' ? undefined : settled;
  return {
    scope,
    channel: plane.channel,
    nodeId: 'n',
    states,
    findings: plane.engine.findings(),
    settledAfter,
    observed: now - 1000,
    now,
  };
}

/** The verdicts on what a target is expected to be, in the words of a file; without those that are always expected. */
export function judged(text: string, observation: Observation): (Evaluation & { kind: What['kind']; name: string })[] {
  const indented = text.replace(/^/gm, '    ');
  const read = readExpectations(`targets:\n  - target: t\n${indented}\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const [target] = read.file.targets;
  return (target?.expectations ?? [])
    .filter(({ kind }) => (kind !== 'ready' && kind !== 'findings') || text.includes(kind))
    .map((expectation) => ({ kind: expectation.kind, name: expectation.name, ...evaluate(expectation, observation) }));
}

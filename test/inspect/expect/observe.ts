import { evaluate } from '../../../src/inspect/expect/evaluate.js';
import type { ExpectedFact } from '../../../src/inspect/expect/expectations.js';
import type { Evaluation, Observation } from '../../../src/inspect/expect/observation.js';
import { ObservedStates } from '../../../src/inspect/expect/observed-states.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { VerdictFacts } from '../../../src/inspect/verdict/facts.js';
import { verdictOf } from '../../../src/inspect/verdict/verdict.js';
import type { Plane } from '../../deps/plane.js';

/** The observation of the single target of a plane, on its virtual time. */
export function observationOf(plane: Plane, settled: number | 'never' = 100): Observation {
  const [scope] = plane.engine.snapshot();
  if (scope === undefined) throw new Error('nothing is followed');
  const states = new ObservedStates();
  const facts = new VerdictFacts();
  for (const event of plane.events) {
    states.observe(event);
    facts.observe(event);
  }
  const now = plane.clock.now();
  const settledAfter = settled === 'never' ? undefined : settled;
  return {
    scope,
    channel: plane.channel,
    verdict: verdictOf(scope, plane.channel, { facts, nodeId: 'n', now }),
    nodeId: 'n',
    states,
    findings: plane.engine.findings(),
    settledAfter,
    observed: now - 1000,
    now,
  };
}

/** Default expectations, unless the text has one of these keys. */
const UNASKED: Partial<Record<ExpectedFact['kind'], string[]>> = {
  verdict: ['ready', 'verdict'],
  configured: ['configuration'],
  findings: ['findings'],
};

/** Evaluates the expectations of a file text, without the default ones. */
export function evaluated(
  text: string,
  observation: Observation,
): (Evaluation & { kind: ExpectedFact['kind']; name: string })[] {
  const indented = text.replace(/^/gm, '    ');
  const read = readExpectations(`targets:\n  - target: t\n${indented}\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const [target] = read.file.targets;
  return (target?.expectations ?? [])
    .filter(({ kind }) => !UNASKED[kind]?.every((key) => !text.includes(key)))
    .map((expectation) => ({ kind: expectation.kind, name: expectation.name, ...evaluate(expectation, observation) }));
}

import { serverAddress } from '../../bootstrap/target.js';
import { scopeMeaning } from '../../csds/scope-meaning.js';
import type { RemoteAnswer } from '../csds.js';
import { evaluate } from './evaluate.js';
import type { Expectation, TargetCheck } from './expectations.js';
import { momentOf } from './observation.js';
import type { Evaluated } from './report.js';

/** What happens over time, or on the wire, is not in CSDS. */
const NOT_IN_CSDS: ReadonlySet<Expectation['kind']> = new Set(['settled', 'tears', 'never', 'findings']);

/** How many expectations of a target CSDS cannot answer. */
export function notInCsds({ expectations, drill }: TargetCheck): number {
  return expectations.filter(({ kind }) => NOT_IN_CSDS.has(kind)).length + (drill === undefined ? 0 : 1);
}

/** Evaluates what CSDS can answer, for every client of a process that has the target. */
export function evaluateRemote(check: TargetCheck, { address, clients }: RemoteAnswer, now: number): Evaluated[] {
  const target = `${address} / ${check.target}`;
  const told = check.expectations.filter(({ kind }) => !NOT_IN_CSDS.has(kind));
  const found = clients.flatMap((client) => {
    const channel = client.snapshot.channels.find((one) => one.target === scopeOf(check.target));
    return channel === undefined ? [] : [{ ...client, channel }];
  });
  if (found.length === 0) {
    const actual = 'no client of this process has it, or what it has is not told';
    return told.map(({ name, at }) => ({ name, target, at, ok: false, expected: name, actual }));
  }
  return found.flatMap(({ judged, snapshot: scope, channel }) => {
    const observation = momentOf(scope, channel, judged.dump.node?.id, now);
    return told.map((one) => ({ name: one.name, target, at: one.at, ...evaluate(one, observation) }));
  });
}

/** D17: any spelling of a target. */
function scopeOf(target: string): string {
  if (serverAddress(target) !== undefined) return target;
  return scopeMeaning(/^xds:/i.test(target) ? target : `xds:///${target}`).scope;
}

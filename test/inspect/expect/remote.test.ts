import { describe, expect, it } from 'vitest';
import { UNKNOWN_CODE } from '../../../src/base/status.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { evaluateAnswers } from '../../../src/inspect/expect/remote.js';
import type { RemoteAnswer } from '../../../src/inspect/remote-answer.js';
import { cluster, endpoints, route, routes, run, verdictNow } from '../verdict-plane.js';

const SERVED = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };
const REJECTED = { ...SERVED, c: cluster('blue').replace('type: EDS', 'type: STATIC') };

/** The CSDS response of a process with a client of `greeter`. CSDS shows the message of an error, but not its code. */
function answer(resources: Record<string, string>, address = 'app:1'): RemoteAnswer {
  const simulation = run({ resources });
  const [scope] = simulation.engine.snapshot();
  if (scope === undefined) throw new Error('nothing is followed');
  const snapshot = {
    ...scope,
    entry: (typeUrl: string, name: string) => {
      const entry = scope.entry(typeUrl, name);
      const status = { code: UNKNOWN_CODE, message: entry?.error?.status.message ?? '' };
      return entry?.error === undefined ? entry : { ...entry, error: { ...entry.error, status } };
    },
  };
  const verdicts = [{ scope: scope.scope, ...verdictNow(simulation) }];
  const client = { validated: { dump: { node: { id: 'n' } } }, snapshot, verdicts };
  return { address, clients: [client], problems: [], isDead: false } as unknown as RemoteAnswer;
}

const DEAD: RemoteAnswer = { address: 'down:1', clients: [], problems: ['refused'], isDead: true };

/** The evaluated expectations of a file that has only one target, for every process. */
function checked(keys: string, answers: RemoteAnswer[]) {
  const read = readExpectations(`targets: [{ target: greeter, findings: { allow: [] }, ${keys} }]`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { targets, remark } = evaluateAnswers(read.file, answers, 1000);
  const evaluated = targets.map(({ target, evaluated }) => [
    target,
    Object.fromEntries(evaluated.map(({ name, ok }) => [name, ok])),
  ]);
  return { remark, targets: Object.fromEntries(evaluated) as Record<string, Record<string, boolean>> };
}

const HISTORY = 'not evaluated, since CSDS does not show it: 1 expectation about time or the wire';

describe('a check over CSDS', () => {
  it('evaluates the target in every process that responds', () => {
    const answers = [answer(SERVED, 'a:1'), DEAD, answer(REJECTED, 'b:1')];
    expect(checked('resources: { CDS/blue: ACKED }', answers).targets).toEqual({
      'a:1 / greeter': { verdict: true, 'CDS/blue status': true },
      'b:1 / greeter': { verdict: false, 'CDS/blue status': false },
    });
  });

  it('fails for a process without the target', () => {
    const { clients } = answer(SERVED);
    const [client] = clients.map((one) => ({ ...one, snapshot: { ...one.snapshot, channels: [] } }));
    for (const own of [[], client === undefined ? [] : [client]]) {
      const process = { address: 'app:1', clients: own, problems: [], isDead: false } as RemoteAnswer;
      expect(checked('ready: true', [process]).targets).toEqual({ 'app:1 / greeter': { verdict: false } });
    }
  });

  it.each<[title: string, keys: string, remark: string]>([
    ['findings, which need the wire', 'ready: true', HISTORY],
    ['history', 'never: [NACKED], settled_within: 1s', HISTORY.replace('1 expectation', '3 expectations')],
    ['a fallback drill', 'fallback_drill: true', HISTORY.replace('1 expectation', '2 expectations')],
    [
      'the code of an error, which CSDS does not show',
      'resources: { CDS/blue: { status: NACKED, error: INVALID_ARGUMENT } }',
      `${HISTORY}, 1 expectation about an error code`,
    ],
  ])('skips expectations about %s, and says so', (_, keys, remark) => {
    expect(checked(keys, [answer(REJECTED)]).remark).toBe(remark);
  });

  it('evaluates an expected error that does not hold whatever its code is', () => {
    const error = (keys: string) => checked(`resources: { CDS/blue: { ${keys} } }`, [answer(REJECTED)]);
    const failed = { 'app:1 / greeter': { 'CDS/blue error': false } };
    expect(error('error: INVALID_ARGUMENT')).toMatchObject({ remark: HISTORY, targets: failed });
    const other = error('status: NACKED, error: { code: INVALID_ARGUMENT, message: { contains: other } }');
    expect(other).toMatchObject({ remark: HISTORY, targets: failed });
    const held = error('status: NACKED, error: { message: { contains: discovery type } }');
    expect(held).toMatchObject({ remark: HISTORY, targets: { 'app:1 / greeter': { 'CDS/blue error': true } } });
  });
});

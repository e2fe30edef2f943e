import { describe, expect, it } from 'vitest';
import type { CsdsClient, CsdsResponse } from '../../src/csds/csds-client.js';
import type { RemoteAnswer } from '../../src/inspect/csds.js';
import { open } from '../../src/inspect/inspection.js';
import { never, until } from '../../src/inspect/until.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { noDns } from '../support/simulate.js';

/** An empty ClientStatusResponse: a process without xDS clients. */
const EMPTY: CsdsResponse = { bytes: new Uint8Array() };
const REFUSED: CsdsResponse = { failure: { code: 14, message: 'connect ECONNREFUSED 127.0.0.1:1' } };

/** Runs pending promise callbacks. */
const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

async function inspect(clients: Record<string, CsdsClient>, pollEveryMs?: number) {
  const clock = new VirtualClock(0);
  const inspection = await open({
    kind: 'csds',
    clients: new Map(Object.entries(clients)),
    request: new Uint8Array(),
    as: 'spec',
    defaultAuthority: undefined,
    dnsTimeoutMs: 1000,
    pollEveryMs,
    plaintext: true,
    hasNodeMatchers: false,
    ports: { clock, dns: noDns },
  });
  return { clock, inspection };
}

function answering(answer: CsdsResponse, log: string[] = []): CsdsClient {
  return {
    fetch: async () => {
      log.push('fetch');
      return answer;
    },
    poll: async () => {
      log.push('poll');
      return answer;
    },
    close: () => log.push('close'),
  };
}

describe('an inspection over CSDS', () => {
  it('reads every process once and ends when all have responded', async () => {
    const { inspection, clock } = await inspect({ 'a:1': answering(EMPTY), 'b:1': answering(REFUSED) });
    const ending = until(inspection, never, { limit: 60_000 });
    await turn();
    clock.settle();
    expect(await ending).toBe('met');
    expect(inspection.answers()).toMatchObject([
      { address: 'a:1', isDead: false, problems: [], clients: [] },
      { address: 'b:1', isDead: true, problems: [expect.stringContaining('ECONNREFUSED')] },
    ]);
    expect(inspection.verdict()).toEqual([]);
  });

  it('delivers each response immediately: a silent process does not delay the others', async () => {
    const silent: CsdsClient = { ...answering(EMPTY), fetch: () => new Promise(() => {}) };
    const { inspection } = await inspect({ 'silent:1': silent, 'a:1': answering(EMPTY) });
    const answers: string[] = [];
    inspection.onAnswer(({ address }: RemoteAnswer) => void answers.push(address));
    let interrupt = (): void => {};
    const ending = until(inspection, never, {
      limit: 60_000,
      onInterrupt: (stop) => {
        interrupt = stop;
        return () => {};
      },
    });
    await turn();
    expect(answers).toEqual(['a:1']);
    interrupt();
    expect(await ending).toBe('interrupted');
    expect(inspection.answers().map(({ address }) => address)).toEqual(['a:1']);
  });

  it('polls each process at its interval and stops at the time limit', async () => {
    const log: string[] = [];
    const { inspection, clock } = await inspect({ 'a:1': answering(EMPTY, log) }, 1000);
    const ending = until(inspection, never, { limit: 3500 });
    for (let ms = 0; ms <= 3500; ms += 500) {
      await turn();
      clock.advanceBy(500);
    }
    expect(await ending).toBe('timed out');
    expect(log).toEqual(['poll', 'poll', 'poll', 'poll']);
    await turn();
    clock.advanceBy(5000);
    await turn();
    expect(log).toHaveLength(4);
    inspection.close();
    expect(log.at(-1)).toBe('close');
  });

  it.each(['an interrupt', 'the time limit'])(
    'leaves no timer behind after %s, so that the process can end',
    async (how) => {
      const { inspection, clock } = await inspect({ 'a:1': answering(EMPTY), 'b:1': answering(REFUSED) }, 3_600_000);
      const alarms = new Set<object>();
      const { wakeAt } = clock;
      clock.wakeAt = (at, wake) => {
        const alarm = {};
        alarms.add(alarm);
        const cancel = wakeAt.call(clock, at, () => {
          alarms.delete(alarm);
          wake();
        });
        return () => {
          alarms.delete(alarm);
          cancel();
        };
      };
      let interrupt = (): void => {};
      const onInterrupt = (stop: () => void) => {
        interrupt = stop;
        return () => {};
      };
      const ending = until(inspection, never, { limit: 6000, onInterrupt });
      await turn();
      clock.settle();
      expect(alarms.size).toBe(3);
      if (how === 'an interrupt') interrupt();
      else clock.advanceBy(6000);
      expect(await ending).toBe(how === 'an interrupt' ? 'interrupted' : 'timed out');
      expect(alarms.size).toBe(0);
    },
  );
});

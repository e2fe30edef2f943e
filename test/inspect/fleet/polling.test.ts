import { describe, expect, it } from 'vitest';
import type { CsdsClient } from '../../../src/csds/csds-client.js';
import { EarlyReport } from '../../../src/inspect/fleet/early-report.js';
import { fleetOf } from '../../../src/inspect/fleet/fleet.js';
import { Rollouts } from '../../../src/inspect/fleet/rollouts.js';
import { never } from '../../../src/inspect/until.js';
import { FleetChanges } from '../../../src/view/fleet/fleet-changes.js';
import { fleetDocument } from '../../../src/view/fleet/fleet-document.js';
import { inspectFleet, processWith, REFUSED, responding, SILENT, turn } from './processes.js';

const many = (count: number, prefix: string, make: () => CsdsClient): [string, CsdsClient][] =>
  Array.from({ length: count }, (_, i) => [`${prefix}:${i}`, make()]);

const V6 = responding({ version: '6', contents: 6 });
const V7 = responding({ version: '7', contents: 7 });

describe('dead and slow processes', () => {
  it('do not delay the others: 900 are reported before any time limit', async () => {
    const { inspection, clock } = inspectFleet(
      Object.fromEntries([
        ...many(50, 'slow', () => SILENT),
        ...many(50, 'dead', () => SILENT),
        ...many(900, 'good', () => processWith(V7)),
      ]),
    );
    const early = new EarlyReport(1000);
    let reportedAt: number | undefined;
    inspection.onAnswer(() => early.onAnswer(clock.now()));
    void inspection.until(never, {
      limit: 60_000,
      tick: {
        everyMs: 250,
        run: () => {
          if (early.isDue(clock.now())) reportedAt ??= clock.now();
        },
      },
    });
    for (let ms = 0; reportedAt === undefined && ms < 60_000; ms += 50) {
      for (let i = 0; i < 20; i++) await turn();
      clock.advanceBy(50);
    }
    expect(inspection.answers()).toHaveLength(900);
    // Silent processes give their slots away, and then nothing new arrives for a second.
    expect(reportedAt).toBeLessThan(5000);
    inspection.close();
  });

  it('are reported a few times only, if they respond one by one', () => {
    const early = new EarlyReport(1000);
    let reports = 0;
    for (let now = 0; now < 60_000; now += 100) {
      if (now % 2500 === 0) early.onAnswer(now);
      if (early.isDue(now)) reports++;
    }
    expect(reports).toBe(2);
  });

  it('are not reported without any response', () => {
    const early = new EarlyReport(1000);
    expect(early.isDue(60_000)).toBe(false);
  });
});

async function follow(clients: Record<string, CsdsClient>, polls: number) {
  const { inspection, clock } = inspectFleet(clients, 1000);
  const rollouts = new Rollouts();
  const changes = new FleetChanges(3000);
  const printed: object[] = [];
  inspection.onAnswer((answer, before) => rollouts.onAnswer(answer, before, clock.now()));
  void inspection.until(never, { limit: 600_000 });
  for (let poll = 0; poll < polls; poll++) {
    for (let i = 0; i < 5; i++) await turn();
    clock.settle();
    const answers = inspection.answers();
    const list = rollouts.list(answers);
    const fleet = fleetOf(answers, () => true);
    const document = fleetDocument(fleet, {
      addresses: inspection.addresses,
      answered: new Set(answers.map(({ address }) => address)),
      names: new Map(),
      rollouts: list,
    });
    printed.push(...changes.since(fleet, document, { answers, rollouts: list, now: clock.now() }));
    clock.advanceBy(1000);
  }
  inspection.close();
  return { printed, rollouts: rollouts.list(inspection.answers()) };
}

describe('a version that spreads', () => {
  it('has the time at which each client received it, as the clients state it', async () => {
    const at = (time: number) => responding({ version: '7', contents: 7, at: time });
    const { rollouts } = await follow(
      { 'a:1': processWith(V6, at(100)), 'b:1': processWith(V6, at(140)), 'c:1': processWith(V6, V6, at(1900)) },
      5,
    );
    expect(rollouts).toMatchObject([
      { version: '7', clients: 3, of: 3, firstAt: 100, medianMs: 40, lastMs: 1800, clock: 'clients' },
    ]);
  });

  it('has the times of the polls if a client does not state them', async () => {
    const { rollouts } = await follow(
      { 'a:1': processWith(V6, V7), 'b:1': processWith(V6, V6, V6, V7), 'c:1': processWith(V6) },
      6,
    );
    expect(rollouts).toMatchObject([
      { clients: 2, of: 3, firstAt: 1000, medianMs: 1000, lastMs: 2000, clock: 'polls' },
    ]);
  });

  it('does not count clients that were found with it', async () => {
    const { rollouts } = await follow({ 'a:1': processWith(V7), 'b:1': processWith(REFUSED, V7) }, 4);
    expect(rollouts).toEqual([]);
  });
});

describe('the changes of a fleet', () => {
  it('are those of clients, processes, versions and the summary, and only once', async () => {
    const rejecting = responding({
      version: '6',
      contents: 6,
      status: 'NACKED',
      rejected: { version: '7', message: 'no' },
    });
    const { printed } = await follow(
      {
        'a:1': processWith(V6, V7),
        'b:1': processWith(V6, V6, V7),
        'c:1': processWith(V6, V6, rejecting, REFUSED),
      },
      12,
    );
    const of = (kind: string) => printed.filter((one) => (one as { kind: string }).kind === kind);
    const client = (change: string, address: string, state?: string) =>
      expect.objectContaining({ change, address, ...(state && { state }) });
    expect(of('client')).toEqual([
      client('appeared', 'a:1', 'agrees'),
      client('appeared', 'b:1', 'agrees'),
      client('appeared', 'c:1', 'agrees'),
      client('changed', 'a:1', 'newer'),
      client('changed', 'c:1', 'rejected'),
      client('changed', 'a:1', 'agrees'),
      client('changed', 'b:1', 'agrees'),
      client('lost', 'c:1'),
    ]);
    expect(of('process')).toEqual([expect.objectContaining({ change: 'unread', address: 'c:1' })]);
    expect(of('fleet').map((one) => (one as { summary: string }).summary)).toEqual([
      '3 clients: all 3 agree',
      '3 clients: 2 agree; 1 has a newer CDS blue (version 7, 6 for 2)',
      '3 clients: 2 agree; 1 rejected CDS blue (version 7)',
      '2 clients: both agree; 1 address could not be read',
    ]);
    expect(of('rollout').at(-1)).toMatchObject({ version: '7', clients: 2, isOver: true });
  });
});

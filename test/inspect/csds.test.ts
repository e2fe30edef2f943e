import { describe, expect, it } from 'vitest';
import type { CsdsClient, CsdsResponse } from '../../src/csds/csds-client.js';
import type { Dns } from '../../src/engine/ports.js';
import { open } from '../../src/inspect/inspection.js';
import type { RemoteAnswer } from '../../src/inspect/remote-answer.js';
import { never, until } from '../../src/inspect/until.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { bytesOf } from '../csds/dumps.js';
import { noDns } from '../support/simulate.js';

/** An empty ClientStatusResponse: a process without xDS clients. */
const EMPTY: CsdsResponse = { bytes: new Uint8Array() };
const REFUSED: CsdsResponse = { failure: { code: 14, message: 'connect ECONNREFUSED 127.0.0.1:1' } };

/** Runs pending promise callbacks. */
const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

async function inspect(clients: Record<string, CsdsClient>, pollEveryMs?: number, dns: Dns = noDns) {
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
    ports: { clock, dns },
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

  describe('resolves the host of a LOGICAL_DNS cluster', () => {
    const hcm = {
      '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
      http_filters: [
        {
          name: 'router',
          typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
        },
      ],
      route_config: {
        virtual_hosts: [{ domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: 'db' } }] }],
      },
    };
    const socket_address = { address: 'db.example', port_value: 5432 };
    const lb_endpoints = [{ endpoint: { address: { socket_address } } }];
    const cached = (type: string, name: string, fields: object) => {
      const type_url = `type.googleapis.com/envoy.config.${type}`;
      const xds_config = { '@type': type_url, name, ...fields };
      return { type_url, name, version_info: '1', client_status: 'ACKED', xds_config };
    };
    const bytes = bytesOf({
      config: [
        {
          client_scope: 'xds:///greeter',
          generic_xds_configs: [
            cached('listener.v3.Listener', 'greeter', { api_listener: { api_listener: hcm } }),
            cached('cluster.v3.Cluster', 'db', {
              ...{ type: 'LOGICAL_DNS', load_assignment: { endpoints: [{ lb_endpoints }] } },
            }),
          ],
        },
      ],
    });

    it.each<[title: string, Dns['resolve'], verdict: string, message: string | undefined]>([
      ['to its addresses', async () => ({ addresses: ['10.0.0.1:5432'] }), 'ok', undefined],
      [
        'and reports its failure',
        async () => ({ failure: 'NXDOMAIN' }),
        'fails',
        'cluster db: DNS does not resolve db.example:5432: NXDOMAIN',
      ],
      [
        'and reports that DNS does not respond in time',
        () => new Promise(() => {}),
        'fails',
        'cluster db: DNS does not resolve db.example:5432: no response within 1.0 s',
      ],
    ])('%s', async (_, resolve, verdict, message) => {
      const { inspection, clock } = await inspect({ 'a:1': answering({ bytes }) }, undefined, { resolve });
      const ending = until(inspection, never, { limit: 60_000 });
      await turn();
      clock.advanceBy(1000);
      await turn();
      clock.settle();
      expect(await ending).toBe('met');
      const [found] = inspection.verdict();
      expect([found?.verdict, found?.cause?.message]).toEqual([verdict, message]);
    });
  });
});

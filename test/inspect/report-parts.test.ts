import { describe, expect, it } from 'vitest';
import type { ErrorEvent } from '../../src/core/event.js';
import { listTargets } from '../../src/inspect/all-targets.js';
import { ErrorLog } from '../../src/inspect/error-log.js';
import { inspectionResult } from '../../src/inspect/inspection-result.js';
import { repeats } from '../../src/inspect/report/fold-findings.js';
import { pathOf } from '../../src/inspect/report/path.js';
import { rejectedNotes } from '../../src/inspect/report/rejected-notes.js';
import type { Cause, CauseCode } from '../../src/inspect/verdict/verdict.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { scenarioFrom } from '../support/simulate.js';
import { causeScenarios } from './cause-scenarios.js';
import { sourceOf } from './live-source.js';

const SCENARIOS = causeScenarios();

async function seenIn(name: string) {
  const { inspection } = (await SCENARIOS.find((one) => one.name === name)?.reached()) ?? {};
  if (inspection === undefined) throw new Error(`no scenario ${name}`);
  inspection.close();
  return inspectionResult(inspection, 'met');
}

describe('the path of a target, with the fault marked', () => {
  const paths: [scenario: string, path: string][] = [
    ['ok', 'listener greeter > virtual host * > route any path > cluster blue > endpoints blue (eu-west1: 1)'],
    ['rejected-lds', '✗ listener greeter'],
    ['rejected-rds', 'listener greeter > ✗ routes greeter-routes'],
    ['rejected-cds', 'listener greeter > virtual host * > route any path > ✗ cluster blue'],
    ['data-error-cds', 'listener greeter > virtual host * > route prefix /orders.Admin > ✗ cluster admin'],
    ['no-route-redirect', 'listener greeter > routes greeter-routes > virtual host * > ✗ route prefix /old.Service'],
    ['rejected-cds-leaf', 'listener greeter > virtual host * > route any path > cluster all > ✗ cluster blue'],
  ];
  it.each(paths)('%s', async (name, path) => {
    const { targets } = await seenIn(name);
    const steps = targets.flatMap(pathOf).map(({ kind, name: step, detail, isFault }) => {
      return `${isFault ? '✗ ' : ''}${kind} ${step}${detail === null ? '' : ` (${detail})`}`;
    });
    expect(steps.join(' > ')).toBe(path);
  });
});

describe('a finding that the cause repeats', () => {
  const cause = (code: CauseCode): Cause => {
    return { code, message: '', resource: { type: 'CDS', name: 'blue' }, server: 's:1', advice: '' };
  };
  type Found = Parameters<typeof repeats>[0];
  const finding = (code: string, changes: Partial<Found> = {}): Found => {
    return { code, server: 's:1', type: 'CDS', names: ['blue'], ...changes };
  };
  const table: [string, boolean, Found, Cause][] = [
    ['is folded', true, finding('XI202'), cause('silent')],
    ['is folded if it names no resource', true, finding('XI202', { names: [] }), cause('silent')],
    ['stays with another code', false, finding('XI203'), cause('silent')],
    ['stays with another cause', false, finding('XI202'), cause('no-endpoints')],
    ['is folded into a rejection of the whole response', true, finding('XI210'), cause('rejected')],
    ['stays for another server', false, finding('XI202', { server: 's:2' }), cause('silent')],
    ['stays for another resource', false, finding('XI202', { names: ['red'] }), cause('silent')],
    ['stays for several resources', false, finding('XI202', { names: ['blue', 'red'] }), cause('silent')],
    ['stays for another type', false, finding('XI202', { type: 'EDS' }), cause('silent')],
  ];
  it.each(table)('%s', (_, isRepeated, found, why) => {
    expect(repeats(found, why)).toBe(isRepeated);
  });
});

describe('the log of errors', () => {
  const error = (at: number, changes: object = {}): ErrorEvent =>
    ({
      ...{ kind: 'error', at, scope: 's', server: 'p', cause: 'nack', status: { code: 3, message: 'bad' } },
      ...{ version: '1', effect: 'kept', typeUrl: RESOURCE_TYPES.CDS, name: 'blue', watchers: 1, ...changes },
    }) as unknown as ErrorEvent;
  const logOf = (...events: ErrorEvent[]): ErrorLog => {
    const log = new ErrorLog();
    for (const event of events) log.observe(event);
    return log;
  };

  it('counts the same error of a resource and separates versions', () => {
    expect(logOf(error(1), error(2, { watchers: 3 }), error(3, { version: '2' })).errors()).toMatchObject([
      { type: 'CDS', names: ['blue'], count: 2, first: 1, last: 2, watchers: 3 },
      { version: '2', count: 1, first: 3 },
    ]);
  });

  it('merges a connection error of all resources and keeps 20 names', () => {
    const events = Array.from({ length: 30 }, (_, i) => error(1, { cause: 'channel', name: `c${i}` }));
    const [only, ...others] = logOf(...events).errors();
    expect([only?.resources, only?.names.length, others]).toEqual([30, 20, []]);
  });

  it('drops the oldest of more than 100', () => {
    const log = logOf(...Array.from({ length: 103 }, (_, i) => error(i, { name: `c${i}` })));
    expect([log.errors().length, log.errors()[0]?.names, log.dropped]).toEqual([100, ['c3'], 3]);
  });
});

describe('notes on a rejected resource', () => {
  it('describe another implementation, and there are none for accepted resources', async () => {
    const rejected = await seenIn('rejected-cds');
    expect(rejectedNotes(rejected.snapshot, rejected.context)).toMatchObject([
      { scope: 'xds:///greeter', type: 'CDS', name: 'blue', implementation: 'envoy', decides: 'accepts' },
    ]);
    const fine = await seenIn('ok');
    expect(rejectedNotes(fine.snapshot, fine.context)).toEqual([]);
  });
});

describe('every listener that a control plane lists', () => {
  const CLIENT = (name: string): string =>
    `{ "@type": LDS, name: "${name}", api_listener: { api_listener: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager } } }`;
  const plane = (more: string): string => `
resources:
  a: ${CLIENT('a')}
  b: ${CLIENT('td/b')}
  s: { "@type": LDS, name: server, address: { socket_address: { address: 0.0.0.0, port_value: 80 } } }
servers:
  p: { ${more} }
`;
  const SERVES = 'serves: [{ type: LDS, version: "1", resources: [a, b, s] }]';

  async function listed(more: string, template?: string) {
    const { source, clock } = sourceOf(scenarioFrom(plane(more)));
    const { client, ports } = source;
    const bootstrap = { ...client.bootstrap, ...(template && { clientDefaultListenerTemplate: template }) };
    const listing = listTargets({ client: { ...client, bootstrap }, ports }, { limit: 10_000 });
    for (let i = 0; i < 20; i++) {
      clock.advanceBy(1000);
      await new Promise(setImmediate);
    }
    return await listing;
  }

  it('becomes a target; listeners of servers do not', async () => {
    expect(await listed(SERVES)).toMatchObject({
      ...{ targets: ['xds:///a', 'xds:///td/b'], servers: 1, unreachable: 0, hasResponded: true },
    });
  });

  it('becomes the target that resolves to it through the template of the bootstrap', async () => {
    expect(await listed(SERVES, 'td/%s')).toMatchObject({ targets: ['xds:///b'], servers: 1, unreachable: 1 });
  });

  it('is unknown if the control plane does not respond to a wildcard subscription', async () => {
    expect(await listed('serves: []')).toMatchObject({ targets: [], hasResponded: false });
  });
});

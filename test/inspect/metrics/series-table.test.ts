import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/inspect/metrics/histogram.js';
import { INSTRUMENTS, type InstrumentName, prometheusName } from '../../../src/inspect/metrics/instruments.js';
import { SeriesTable } from '../../../src/inspect/metrics/series-table.js';

describe('series with equal labels', () => {
  it.each([
    ['grpc.xds_client.server_failure', [2, 3], 5],
    ['grpc.xds_client.connected', [1, 0], 0],
    ['xds_inspect.last_response.time', [7, 9], 9],
  ] as const)('of %s are combined', (name, values, combined) => {
    const table = new SeriesTable();
    for (const value of values) table.add(name, ['s', 'p'], value);
    expect(table.list()).toEqual([{ name, labels: ['s', 'p'], value: combined }]);
  });

  it('of a histogram are added', () => {
    const [a, b] = [new Histogram([1]), new Histogram([1])];
    a.record(1);
    b.record(2);
    const table = new SeriesTable();
    for (const value of [a, b]) table.add('xds_inspect.config.change.duration', [], value);
    expect(table.list()[0]?.value).toEqual({ bounds: [1], counts: [1, 1], sum: 3 });
  });
});

describe('the instruments', () => {
  const names = Object.keys(INSTRUMENTS) as InstrumentName[];

  it('include those of A78 with its units and labels', () => {
    const a78 = names
      .filter((name) => name.startsWith('grpc.'))
      .map((name) => [name, INSTRUMENTS[name].unit, ...INSTRUMENTS[name].labels]);
    const server = ['grpc.target', 'grpc.xds.server'];
    expect(a78).toEqual([
      ['grpc.xds_client.connected', '{bool}', ...server],
      ['grpc.xds_client.server_failure', '{failure}', ...server],
      ['grpc.xds_client.resource_updates_valid', '{resource}', ...server, 'grpc.xds.resource_type'],
      ['grpc.xds_client.resource_updates_invalid', '{resource}', ...server, 'grpc.xds.resource_type'],
      [
        'grpc.xds_client.resources',
        '{resource}',
        'grpc.target',
        'grpc.xds.authority',
        'grpc.xds.cache_state',
        'grpc.xds.resource_type',
      ],
    ]);
  });

  it('have different names in Prometheus', () => {
    expect(new Set(names.map(prometheusName)).size).toBe(names.length);
    expect(prometheusName('grpc.xds_client.server_failure')).toBe('grpc_xds_client_server_failure_total');
    expect(prometheusName('xds_inspect.tear.duration')).toBe('xds_inspect_tear_duration_seconds');
  });
});

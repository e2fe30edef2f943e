import { describe, expect, it } from 'vitest';
import { DeltaSeries } from '../../../src/inspect/metrics/delta.js';
import { Histogram } from '../../../src/inspect/metrics/histogram.js';
import type { Series } from '../../../src/inspect/metrics/series-table.js';

const failures = (value: number): Series => ({ name: 'grpc.xds_client.server_failure', labels: ['s', 'p'], value });
const connected = (value: number): Series => ({ name: 'grpc.xds_client.connected', labels: ['s', 'p'], value });

describe('changes since the last export', () => {
  it('are exported for counters, not for gauges', () => {
    const delta = new DeltaSeries(['counter', 'histogram']);
    delta.since([failures(3), connected(1)]).commit();
    expect(delta.since([failures(5), connected(1)]).changes.map(({ value }) => value)).toEqual([2, 1]);
  });

  it('contain the changes of an export that failed', () => {
    const delta = new DeltaSeries(['counter']);
    delta.since([failures(3)]).commit();
    delta.since([failures(5)]);
    expect(delta.since([failures(9)]).changes).toEqual([failures(6)]);
  });

  it('are exported for histograms that go on to count', () => {
    const histogram = new Histogram([1, 2]);
    const series: Series[] = [{ name: 'xds_inspect.config.change.duration', labels: [], value: histogram }];
    const delta = new DeltaSeries(['histogram']);
    histogram.record(1);
    delta.since(series).commit();
    histogram.record(1.5);
    histogram.record(7);
    expect(delta.since(series).changes[0]?.value).toEqual({ bounds: [1, 2], counts: [0, 1, 1], sum: 8.5 });
  });
});

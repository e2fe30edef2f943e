import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, it } from 'vitest';
import { INSTRUMENTS, type InstrumentName, prometheusName } from '../../../src/inspect/metrics/instruments.js';
import { SeriesLimit } from '../../../src/inspect/metrics/series-limit.js';
import { type Series, SeriesTable } from '../../../src/inspect/metrics/series-table.js';
import { labelText } from '../../../src/io/metrics/export-metrics.js';
import { Exposition } from '../../../src/io/metrics/exposition.js';
import { json } from '../../deps/follow.js';
import { ObservedPlane } from '../../inspect/metrics/observed-plane.js';

const GOLDEN = join(import.meta.dirname, 'greeter.prom');

const resource = resourceFromAttributes({ 'service.name': 'xds-inspect' });

function textOf(series: () => readonly Series[], now = (): number => 0): Exposition {
  return new Exposition({ series, resource, version: '1.2.3', clock: { now } });
}

describe('the text for Prometheus', () => {
  it('is that of a target whose cluster is rejected', () => {
    const observed = new ObservedPlane();
    const { plane } = observed;
    plane.server.set('LDS', 'l', json.inline('blue')).set('CDS', 'blue', { ...json.eds('blue'), lb_policy: 'MAGLEV' });
    plane.follow();
    const table = new SeriesTable();
    for (const { name, labels, value } of observed.series()) table.add(name, labels, value);
    const text = textOf(() => new SeriesLimit(labelText(false)).apply(table)).text();
    if (process.env.UPDATE_DOCS) writeFileSync(GOLDEN, text);
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  it('escapes labels', () => {
    const series: Series[] = [{ name: 'grpc.xds_client.connected', labels: ['a"b\\c', 'x\ny'], value: 1 }];
    expect(textOf(() => series).text()).toContain('{grpc_target="a\\"b\\\\c",grpc_xds_server="x\\ny"} 1\n');
  });

  it.each(Object.keys(INSTRUMENTS) as InstrumentName[])('has the documented name of %s', (name) => {
    const { labels } = INSTRUMENTS[name];
    const value = 'bounds' in INSTRUMENTS[name] ? { bounds: [1], counts: [1, 0], sum: 1 } : 1;
    const text = textOf(() => [{ name, labels: labels.map(() => 'x'), value }]).text();
    expect(text).toContain(`# TYPE ${prometheusName(name)} ${INSTRUMENTS[name].kind}\n`);
  });

  it('is collected at most four times a second, and for at most a tenth of the time', () => {
    let now = 0;
    let collections = 0;
    let cost = 0;
    const exposition = textOf(
      () => {
        collections++;
        now += cost;
        return [];
      },
      () => now,
    );
    for (; now < 1000; now += 10) exposition.text();
    expect(collections).toBe(4);
    [cost, collections] = [100, 0];
    for (const end = now + 10_000; now < end; now += 10) exposition.text();
    expect(collections).toBeLessThanOrEqual(10);
    expect(collections).toBeGreaterThan(5);
  });
});

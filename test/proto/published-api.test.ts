import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';
import { API_FILES, countTypes, readProvenance } from '../../tools/api/provenance.js';
import { decodeDescriptorSet, eachMessage } from '../../tools/generate/descriptor-set.js';
import { ROOT } from '../support/root.js';

const provenance = readProvenance(ROOT);
const bytes = gunzipSync(readFileSync(join(ROOT, API_FILES.descriptors)));
const set = decodeDescriptorSet(ROOT, bytes);

describe('the published API in proto/api', () => {
  it('is the file that its provenance describes', () => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(provenance.descriptorsSha256);
    expect({ files: set.file.length, ...countTypes(set) }).toEqual({
      files: provenance.files,
      messages: provenance.messages,
      enums: provenance.enums,
      fields: provenance.fields,
    });
  });

  it('is the API of the C-core that the recordings come from', () => {
    const requirements = readFileSync(join(ROOT, 'tools/peers/python/requirements.txt'), 'utf8');
    expect(requirements.split('\n')).toContain(`${provenance.package}==${provenance.version}`);
  });

  it('is in the catalogue with every message and field', () => {
    const described = new Map<string, string[]>();
    for (const file of set.file)
      eachMessage(file, ({ field, options }, name) => {
        if (!options?.map_entry) described.set(name, field.map((one) => `${one.number} ${one.name}`).sort());
      });
    expect(described.size).toBe(provenance.messages);
    for (const [name, fields] of described) {
      const known = [...(xdsCatalogue.message(name)?.byNumber.values() ?? [])];
      expect([name, ...known.map((one) => `${one.number} ${one.name}`).sort()]).toEqual([name, ...fields]);
    }
    const enums = set.file.flatMap((file) => file.enum_type.map((one) => `${file.package}.${one.name}`));
    expect(enums.filter((name) => xdsCatalogue.enumType(name) === undefined)).toEqual([]);
  });
});

describe('proto JSON knows', () => {
  const T = 'type.googleapis.com/';
  const cases: [string, Record<string, unknown>][] = [
    [
      'a new field of a route configuration',
      { '@type': `${T}envoy.config.route.v3.RouteConfiguration`, vhostHeader: 'x' },
    ],
    ['a new field of a route', { '@type': `${T}envoy.config.route.v3.Route`, requestBodyBufferLimit: '1024' }],
    [
      'a new field of a cluster',
      { '@type': `${T}envoy.config.cluster.v3.Cluster`, transportSocketMatcher: { onNoMatch: {} } },
    ],
    [
      'a field with a type of OpenTelemetry',
      {
        '@type': `${T}envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig`,
        body: { stringValue: 'x' },
      },
    ],
    [
      'a field with a type of CEL',
      { '@type': `${T}xds.type.v3.CelExpression`, celExprParsed: { expr: { identExpr: { name: 'x' } } } },
    ],
  ];
  it.each(cases)('%s', (_, json) => {
    const problems = new Problems();
    const any = parseAny(xdsCatalogue, json, problems);
    expect(problems.list).toEqual([]);
    expect(any && printAny(xdsCatalogue, any.typeUrl, any.value)).toEqual(json);
  });
});

import { expect, it } from 'vitest';
import { reportOn } from '../../../src/inspect/validate/report.js';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { CONTEXT } from '../../resources/context.js';

it('validate lists 1,000 rejected resources of a few bytes, counts the others, and lists every larger one', () => {
  const empty = { typeUrl: '', value: new Uint8Array(0) };
  const large = { typeUrl: RESOURCE_TYPES.CDS, value: Buffer.from(`\n\x40${'c'.repeat(64)}`) };
  const resources = [...Array.from({ length: 2500 }, () => empty), large, large];
  const response = DiscoveryResponse.create({ typeUrl: RESOURCE_TYPES.CDS, resources });
  const content = { value: {}, locate: () => [], responses: [{ response, resources: [] }] };
  const [report] = reportOn('f', content as unknown as Parameters<typeof reportOn>[1], CONTEXT);
  expect(report?.resources).toHaveLength(1002);
  expect(report?.resources.slice(-2).map(({ name }) => name)).toEqual(['c'.repeat(64), 'c'.repeat(64)]);
  expect(report?.omitted).toEqual({ accepted: 0, rejected: 1500, ignored: 0 });
  expect(report?.nack?.match(/resource index/g)).toHaveLength(2502);
});

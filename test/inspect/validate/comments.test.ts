import { describe, expect, it } from 'vitest';
import { Problems } from '../../../src/base/problem.js';
import { commentsOn } from '../../../src/inspect/validate/comments.js';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseMessage } from '../../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { validateResponse } from '../../../src/resources/validate-response.js';
import { CONTEXT } from '../../resources/context.js';

const CLUSTER = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

/** The codes of the notes on the wrapper and the type URL of a cluster. */
function notesOn(outer: string, typeUrl: string): string[] {
  const value = parseMessage(xdsCatalogue, 'envoy.config.cluster.v3.Cluster', CLUSTER, new Problems());
  if (value === undefined) throw new Error('not encoded');
  const response = DiscoveryResponse.create({ typeUrl: RESOURCE_TYPES.CDS, resources: [{ typeUrl, value }] });
  const [validated] = validateResponse(response, CONTEXT).resources;
  if (validated === undefined) throw new Error('not validated');
  const { notes } = commentsOn(validated, outer, RESOURCE_TYPES.CDS, CONTEXT);
  const codes = new Set<string>(notes.map(({ code }) => code));
  return ['DW02', 'DW03'].filter((code) => codes.has(code));
}

describe('the notes on the type URL of a resource', () => {
  const short = 'envoy.config.cluster.v3.Cluster';
  const wrapper = 'type.googleapis.com/envoy.service.discovery.v3.Resource';
  it.each<[title: string, outer: string, typeUrl: string, codes: string[]]>([
    ['are none for a common one', RESOURCE_TYPES.CDS, RESOURCE_TYPES.CDS, []],
    ['name implementations that reject one without a slash', short, short, ['DW03']],
    ['name implementations that reject a wrapper', wrapper, RESOURCE_TYPES.CDS, ['DW02']],
  ])('%s', (_, outer, typeUrl, codes) => {
    expect(notesOn(outer, typeUrl)).toEqual(codes);
  });
});

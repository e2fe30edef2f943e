import { beforeAll, describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { IMPLEMENTATIONS, type Implementation } from '../../src/peers/note.js';
import { notesOn } from '../../src/peers/notes.js';
import { RULES } from '../../src/peers/rules/index.js';
import { NOTE_TITLES } from '../../src/peers/rules/titles.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseMessage } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';
import { RESOURCE_VALIDATORS } from '../../src/resources/registry.js';
import { CONTEXT } from '../resources/context.js';
import { mutatedVerdicts, recordedVerdicts } from '../resources/recorded-results.js';

import { type NoteScore, scoreNotes } from './note-score.js';

/** The minimum share of recorded differences that have a note, just below the measured share. */
const SHARES: Record<Implementation, number> = {
  'grpc-go': 0.99,
  'grpc-java': 0.98,
  'grpc-js-xds': 0.96,
  envoy: 0.99,
};

describe.each(IMPLEMENTATIONS)('notesOn for %s', (implementation) => {
  let score: NoteScore;
  beforeAll(() => {
    score = scoreNotes(implementation, recordedVerdicts(implementation));
  });

  it('returns no wrong note for the recorded results', () => {
    expect(score.wrong).toEqual([]);
  });

  it('explains nearly all differences from C-core', () => {
    expect(score.different.length).toBeGreaterThan(500);
    expect(1 - score.silent.length / score.different.length).toBeGreaterThanOrEqual(SHARES[implementation]);
  });

  it('is right for mutated resources that once had wrong notes', () => {
    const { wrong, silent } = scoreNotes(implementation, mutatedVerdicts(implementation));
    expect({ wrong, silent }).toEqual({ wrong: [], silent: [] });
  });
});

describe('note rules', () => {
  it('have a title and a unique code each, in order', () => {
    const codes = RULES.map(({ code }) => code);
    expect(codes).toEqual(Object.keys(NOTE_TITLES));
    for (const kind of ['DL', 'DR', 'DC', 'DE', 'DW']) {
      const ofKind = codes.filter((code) => code.startsWith(kind));
      expect(ofKind).toEqual([...ofKind].sort());
    }
  });
});

/** Returns the notes on a resource in proto JSON, as `code implementation decision path`. */
function notesOnJson(typeName: string, json: object): string[] {
  const problems = new Problems();
  const bytes = parseMessage(xdsCatalogue, typeName, json, problems) as Uint8Array;
  expect(problems.list).toEqual([]);
  const validated = RESOURCE_VALIDATORS.get(typeName)?.(bytes, CONTEXT);
  const result = validated?.kind === 'validated' ? validated.result : undefined;
  const printed = printAny(xdsCatalogue, typeName, bytes);
  const notes = notesOn({ typeName, json: printed, bytes, result, context: CONTEXT });
  return notes.map(({ code, implementation, decides, path }) => `${code} ${implementation} ${decides} ${path}`);
}

const TYPE = 'type.googleapis.com/';
const HCM = 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const FILTERS = `${TYPE}envoy.extensions.filters.http`;

function clientListener(filters: object[]): object {
  const router = { name: 'router', typed_config: { '@type': `${FILTERS}.router.v3.Router` } };
  return {
    name: 'foo',
    api_listener: {
      api_listener: {
        '@type': `${TYPE}${HCM}`,
        rds: { config_source: { ads: {} }, route_config_name: 'r' },
        http_filters: [...filters, router],
      },
    },
  };
}

describe('notesOn a listener', () => {
  const gcp = { name: 'gcp', typed_config: { '@type': `${FILTERS}.gcp_authn.v3.GcpAuthnFilterConfig` } };
  const type = 'envoy.config.listener.v3.Listener';

  it('names the implementations that do not support a required HTTP filter', () => {
    const path = 'api_listener.api_listener.http_filters[0]';
    expect(notesOnJson(type, clientListener([gcp]))).toEqual([
      `DL02 grpc-go rejects ${path}`,
      `DL02 grpc-js-xds rejects ${path}`,
    ]);
  });

  it('returns nothing for an optional HTTP filter', () => {
    expect(notesOnJson(type, clientListener([{ ...gcp, is_optional: true }]))).toEqual([]);
  });
});

describe('notesOn a cluster', () => {
  const type = 'envoy.config.cluster.v3.Cluster';
  const eds = { name: 'foo', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

  it('reports that others reject a threshold above 100', () => {
    const cluster = {
      ...eds,
      outlier_detection: { failure_percentage_threshold: 101, enforcing_failure_percentage: 50 },
    };
    const path = 'outlier_detection.failure_percentage_threshold';
    expect(notesOnJson(type, cluster)).toEqual([
      `DC06 grpc-go rejects ${path}`,
      `DC06 grpc-java rejects ${path}`,
      `DC06 grpc-js-xds rejects ${path}`,
      `DC30 envoy rejects ${path}`,
    ]);
    expect(notesOnJson(type, { ...eds, outlier_detection: { failure_percentage_threshold: 100 } })).toEqual([]);
  });

  it('names the implementations that accept all problems of C-core', () => {
    const least = { ...eds, lb_policy: 'LEAST_REQUEST' };
    expect(notesOnJson(type, least)).toEqual([
      'DC52 grpc-go accepts lb_policy',
      'DC52 grpc-java accepts lb_policy',
      'DC53 envoy accepts lb_policy',
    ]);
    expect(notesOnJson(type, { ...least, outlier_detection: { max_ejection_percent: 101 } })).toEqual([]);
  });

  it('reports that Envoy aborts on a ring that exceeds any memory, even if C-core rejects it', () => {
    const ring = {
      '@type': `${TYPE}envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash`,
      minimum_ring_size: '18446744073709551615',
      maximum_ring_size: '18446744073709551615',
    };
    const policies = [{ typed_extension_config: { name: 'x', typed_config: ring } }];
    const [note] = notesOnJson(type, { ...eds, load_balancing_policy: { policies } });
    expect(note).toMatch(/^DC37 envoy aborts /);
  });
});

describe('notesOn endpoints', () => {
  const endpointAt = (priority: number, weight: number) => ({
    locality: { region: `r${priority}` },
    priority,
    load_balancing_weight: weight,
    lb_endpoints: [{ endpoint: { address: { socket_address: { address: `127.0.0.${priority}`, port_value: 1 } } } }],
  });
  const type = 'envoy.config.endpoint.v3.ClusterLoadAssignment';

  it('reports that grpc-js-xds counts localities without a weight', () => {
    expect(notesOnJson(type, { cluster_name: 'foo', endpoints: [endpointAt(0, 1), endpointAt(2, 0)] })).toEqual([
      'DE11 grpc-js-xds rejects endpoints',
      'DE20 envoy rejects endpoints[1].load_balancing_weight',
    ]);
    expect(notesOnJson(type, { cluster_name: 'foo', endpoints: [endpointAt(0, 1), endpointAt(1, 1)] })).toEqual([]);
  });
});

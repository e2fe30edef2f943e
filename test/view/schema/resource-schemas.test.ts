import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import recorded from '../../../fixtures/resources/c-core.json' with { type: 'json' };
import { fromBase64 } from '../../../src/base/base64.js';
import { Problems } from '../../../src/base/problem.js';
import { API_TYPES } from '../../../src/proto/api-types.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { printAny } from '../../../src/proto/json/print.js';
import { typeNameOf } from '../../../src/proto/json/type-name.js';
import { anyTypes } from '../../../src/proto/json-schema/any-types.js';
import type { JsonSchema } from '../../../src/proto/json-schema/json-schema.js';
import { hasResources } from '../../../src/resources/files/file-resources.js';
import { readResourceFile } from '../../../src/resources/files/resource-file.js';
import { messageSchema, resourcesSchema, withResources } from '../../../src/view/schema/resource-schemas.js';
import { randomFrom, randomMessage } from '../../proto/random-message.js';
import { fixtureJson, ruleTables } from '../../resources/rule-tables.js';
import { ROOT } from '../../support/root.js';

const SCHEMA = resourcesSchema();
const DEFINITIONS = SCHEMA.definitions as Record<string, JsonSchema>;

const T = 'type.googleapis.com/';
const CLUSTER = `${T}envoy.config.cluster.v3.Cluster`;
const ROUTER = `${T}envoy.extensions.filters.http.router.v3.Router`;

// `required` in a oneOf names properties that are declared beside it. NaN is a number in YAML.
const STRICT = { strict: true, strictRequired: false, strictNumbers: false };

let validate: ReturnType<Ajv['compile']>;

// Compiling takes seconds: only one schema of the API is compiled.
beforeAll(() => {
  validate = new Ajv({ ...STRICT, inlineRefs: false }).compile(SCHEMA);
});

/** The positions and reasons of the errors that no other error explains. */
function errorsOf(json: unknown): string[] {
  if (validate(json)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${params.additionalProperty ?? ''}`.trim();
  });
}

/** Whether the reader accepts a file, without unknown fields and types. */
function isRead(text: string): boolean {
  const { problems, responses } = readResourceFile('a.yaml', new TextEncoder().encode(text));
  return (
    problems.length === 0 && responses.every(({ resources }) => resources.every((one) => one.unknownParts.length === 0))
  );
}

/** Validators of ajv use much of the stack per level. */
const MAX_DEPTH = 40;

function depthOf(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0;
  return 1 + Math.max(0, ...Object.values(json).map(depthOf));
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}

describe('the schema of resources accepts', () => {
  const files = ['fixtures/scenarios', 'fixtures/csds'].flatMap(filesBelow).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const values = parseAllDocuments(text).map((document) => document.toJS() as unknown);
    return values.every(hasResources) && isRead(text) ? [{ path, values }] : [];
  });

  it('every resource file of the fixtures that the reader accepts', () => {
    expect(files.length).toBeGreaterThan(20);
    for (const { path, values } of files) for (const value of values) expect(errorsOf(value), path).toEqual([]);
  });

  it('every resource of the tables of rules, also those that gRPC rejects', () => {
    let count = 0;
    for (const { table } of ruleTables()) {
      for (const { rule, breaks, holds, ...common } of table.rules) {
        for (const fixture of [...breaks, ...holds]) {
          const json = fixtureJson(table, { ...common, ...fixture });
          if (parseAny(xdsCatalogue, json, new Problems()) === undefined) continue;
          expect(errorsOf(json), JSON.stringify(json)).toEqual([]);
          count++;
        }
      }
    }
    expect(count).toBeGreaterThan(900);
  });

  it('every recorded response of C-core as the tool prints it', () => {
    const cases = recorded.cases as { response: { type_url: string; bytes: string }[] }[];
    const printed = cases.flatMap(({ response }) =>
      response.map(({ type_url, bytes }) => printAny(xdsCatalogue, type_url, fromBase64(bytes) as Uint8Array)),
    );
    const known = printed.filter((json) => depthOf(json) < MAX_DEPTH && isRead(JSON.stringify(json)));
    expect(known.length).toBeGreaterThan(2000);
    for (const json of known) expect(errorsOf(json), JSON.stringify(json)).toEqual([]);
  });

  it('random messages of every type that an Any may contain, as the tool prints them', () => {
    const random = randomFrom(7);
    for (const name of anyTypes(xdsCatalogue)) {
      for (let round = 0; round < 3; round++) {
        const content = randomMessage(name, random);
        const isCustom = /^google\.protobuf\.(\w+Value|Duration|Timestamp|FieldMask|Struct|Value|Any)$/.test(name);
        const json = { '@type': T + name, ...(isCustom ? { value: content } : (content as object)) };
        const any = parseAny(xdsCatalogue, json, new Problems());
        if (any === undefined) continue;
        expect(errorsOf(json), JSON.stringify(json)).toEqual([]);
        const printed = printAny(xdsCatalogue, any.typeUrl, any.value);
        expect(errorsOf(printed), JSON.stringify(printed)).toEqual([]);
      }
    }
  });

  const GOOD: [what: string, text: string][] = [
    ['nothing', ''],
    ['an empty list', '[]'],
    ['a resource without type', 'name: a\nlbPolicy: RING_HASH'],
    ['names of the .proto file', 'name: a\nlb_policy: RING_HASH\nconnect_timeout: 0.25s'],
    ['a short type', '"@type": EDS\nclusterName: a'],
    ['a list of several types', '[{ "@type": CDS, name: a }, { virtualHosts: [] }]'],
    ['a response', 'versionInfo: "1"\ntypeUrl: CDS\nresources: [{ name: a, lbPolicy: MAGLEV }]'],
    [
      'a Resource wrapper',
      `"@type": ${T}envoy.service.discovery.v3.Resource\nresource: { "@type": ${CLUSTER}, name: a }`,
    ],
    ['an enum by number', '"@type": CDS\nlbPolicy: 2'],
    ['a 64-bit integer as number', '"@type": CDS\nringHashLbConfig: { minimumRingSize: 1024 }'],
    ['a 64-bit integer as string', '"@type": CDS\nringHashLbConfig: { minimumRingSize: "1024" }'],
    ['a duration out of range', '"@type": CDS\nconnectTimeout: { seconds: "1", nanos: -1 }'],
    [
      'fields without a value',
      '"@type": CDS\nname:\nconnectTimeout:\nmetadata:\nfilters:\nlbPolicy:\neds_cluster_config:',
    ],
    ['members of a oneof without a value', '"@type": CDS\ntype:\nclusterType: { name: x }'],
    ['an empty Any', '"@type": CDS\ntransportSocket: { name: a, typedConfig: {} }'],
    [
      'a type of the user',
      '"@type": CDS\nclusterType: { typedConfig: { "@type": acme.com/acme.Widget, "@value": AAAA } }',
    ],
    ['a message that no extension uses', `"@type": ${T}envoy.config.core.v3.Node\nid: a`],
    ['unknown fields as the tool prints them', '"@type": CDS\n"@unknown": [{ field: 4242, varint: "1" }]'],
    ['a wrapped well-known type', `"@type": ${T}google.protobuf.Duration\nvalue: 1s`],
    ['a Struct', '"@type": CDS\nmetadata: { filterMetadata: { a: { b: [1, null, { c: true }] } } }'],
    ['a dump of Envoy', 'configs: [{ "@type": type.googleapis.com/envoy.admin.v3.ClustersConfigDump }]'],
    ['a CSDS response', 'config: [{ genericXdsConfigs: [] }]'],
    ['dumps by namespace and name', 'default: { web-1: { configs: [] } }'],
  ];
  it.each(GOOD)('%s, as the reader does', (_what, text) => {
    expect(isRead(text)).toBe(true);
    for (const document of parseAllDocuments(text)) expect(errorsOf(document.toJS())).toEqual([]);
  });
});

describe('the schema of resources refuses', () => {
  const hcm = (fields: object): object => ({
    '@type': 'LDS',
    apiListener: {
      apiListener: {
        '@type': `${T}envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`,
        ...fields,
      },
    },
  });
  const BAD: [what: string, json: unknown, place: string][] = [
    ['a misspelt field', { '@type': 'CDS', lbPolcy: 'MAGLEV' }, ' must NOT have additional properties lbPolcy'],
    [
      'a misspelt field without a type',
      { name: 'a', edsClusterConfig: { edsConfg: {} } },
      '/edsClusterConfig must NOT have additional properties edsConfg',
    ],
    ['a field of Envoy v2', { '@type': 'CDS', hosts: [] }, 'additional properties hosts'],
    ['mixed spelling', { '@type': 'CDS', connect_Timeout: '1s' }, 'additional properties connect_Timeout'],
    [
      'a misspelt enum',
      { '@type': 'CDS', lbPolicy: 'ROUNDROBIN' },
      '/lbPolicy must be equal to one of the allowed values',
    ],
    ['an enum in lower case', { '@type': 'CDS', type: 'eds' }, '/type must be equal to one of the allowed values'],
    ['a duration without unit', { '@type': 'CDS', connectTimeout: '5' }, '/connectTimeout must match pattern'],
    ['a duration as number', { '@type': 'CDS', connectTimeout: 5 }, '/connectTimeout must be string'],
    ['a duration in ms', { '@type': 'CDS', connectTimeout: '250ms' }, '/connectTimeout must match pattern'],
    ['a name that YAML reads as number', { '@type': 'CDS', name: 5 }, '/name must be string'],
    ['a boolean as text', { '@type': 'CDS', respectDnsTtl: 'yes' }, '/respectDnsTtl must be boolean'],
    [
      'a port that is too large',
      { '@type': 'EDS', endpoints: [{ priority: 4_294_967_296 }] },
      '/endpoints/0/priority must be <= 4294967295',
    ],
    ['a mapping for a list', { '@type': 'EDS', endpoints: { priority: 1 } }, '/endpoints must be array'],
    ['a list for a mapping', { '@type': 'CDS', edsClusterConfig: [] }, '/edsClusterConfig must be object'],
    ['an empty element of a list', { '@type': 'EDS', endpoints: [null] }, '/endpoints/0 must be object'],
    [
      'two members of a oneof',
      { '@type': 'CDS', type: 'EDS', clusterType: { name: 'x' } },
      ' must match exactly one schema in oneOf',
    ],
    [
      'two members of a oneof in different spellings',
      { '@type': 'CDS', ring_hash_lb_config: {}, maglevLbConfig: {} },
      ' must match exactly one schema in oneOf',
    ],
    [
      'a misspelt field in an Any',
      hcm({ httpFilters: [{ name: 'r', typedConfig: { '@type': ROUTER, dynamicStat: true } }] }),
      '/apiListener/apiListener/httpFilters/0/typedConfig must NOT have additional properties dynamicStat',
    ],
    [
      'a misspelt type in an Any',
      hcm({ httpFilters: [{ name: 'r', typedConfig: { '@type': `${ROUTER}r` } }] }),
      '/apiListener/apiListener/httpFilters/0/typedConfig/@type must NOT be valid',
    ],
    [
      'an Any without a type',
      hcm({ httpFilters: [{ name: 'r', typedConfig: { dynamicStats: true } }] }),
      "/apiListener/apiListener/httpFilters/0/typedConfig must have required property '@type'",
    ],
    ['bytes beside fields', { '@type': CLUSTER, '@value': 'AA==', name: 'a' }, ' property name must be valid'],
    [
      'a well-known type without value',
      { '@type': `${T}google.protobuf.Duration`, seconds: 1 },
      "must have required property 'value'",
    ],
    ['an unknown short type', { '@type': 'XDS', name: 'a' }, '/@type must match pattern'],
    ['a resource of which the type is not clear', { name: 'a' }, ' must NOT be valid'],
    ['a list of texts', ['a'], '/0 must be object'],
    ['a text', 'a', ' must be object,null'],
    [
      'a misspelt field in a response',
      { typeUrl: 'CDS', resources: [{ '@type': 'CDS', nam: 'a' }] },
      '/resources/0 must NOT have additional properties nam',
    ],
    ['an unfinished dump of the tool', { '@type': 'CDS', '@omitted': {} }, 'additional properties @omitted'],
  ];
  it.each(BAD)('%s, with its position, as the reader does', (_what, json, place) => {
    expect(isRead(JSON.stringify(json))).toBe(false);
    expect(errorsOf(json)).toContainEqual(expect.stringContaining(place.trim()));
  });
});

describe('the schema of each message', () => {
  const properties = (name: string): Record<string, JsonSchema> =>
    DEFINITIONS[name]?.properties as Record<string, JsonSchema>;

  it('has every field of the API in both spellings', () => {
    for (const name of xdsCatalogue.messageNames()) {
      const type = xdsCatalogue.message(name);
      const known = properties(name);
      if (type === undefined || known === undefined || name === 'google.protobuf.Any') continue;
      expect(new Set(Object.keys(known).filter((key) => !key.startsWith('@'))), name).toEqual(
        new Set(type.byName.keys()),
      );
    }
    expect(Object.keys(DEFINITIONS).length).toBeGreaterThan(1000);
  });

  it.each([
    ['envoy.config.cluster.v3.Cluster', 'altStatName', 'gRPC ignores this field.'],
    [
      'envoy.config.cluster.v3.Cluster',
      'health_checks',
      'gRPC uses only the health status that the control plane sends.',
    ],
    ['envoy.config.cluster.v3.Cluster', 'lbPolicy', undefined],
    ['envoy.config.route.v3.RouteAction', 'prefixRewrite', 'gRPC does not rewrite paths.'],
    ['envoy.config.route.v3.RouteAction', 'timeout', expect.stringContaining('max_stream_duration')],
    ['envoy.config.route.v3.RouteAction', 'maxStreamDuration', undefined],
    [
      'envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext',
      'trusted_ca',
      expect.stringContaining('certificate providers'),
    ],
  ])('says of %s.%s whether gRPC reads it', (message, field, note) => {
    expect(properties(message)[field]?.description).toEqual(note);
  });

  it('marks deprecated fields', () => {
    const { max_requests_per_connection: old, name } = properties('envoy.config.cluster.v3.Cluster');
    expect([old?.deprecated, old?.description]).toEqual([true, expect.stringMatching(/Deprecated\.$/)]);
    expect(name?.deprecated).toBeUndefined();
  });

  it('marks messages that gRPC does not read', () => {
    const note = 'gRPC does not read this message.';
    expect(DEFINITIONS['envoy.extensions.filters.http.lua.v3.Lua']?.description).toBe(note);
    expect(DEFINITIONS['envoy.extensions.filters.http.router.v3.Router']?.description).toBeUndefined();
    expect(DEFINITIONS['google.rpc.Status']?.description).toBeUndefined();
  });
});

describe('the schema of', () => {
  it.each(Object.entries(API_TYPES))(
    '%s describes one resource or a list with the definitions of all resources',
    (short, typeUrl) => {
      const schema = messageSchema(typeUrl);
      const { resource, ...definitions } = schema.definitions as Record<string, JsonSchema>;
      expect(definitions[typeNameOf(typeUrl)]).toBeDefined();
      for (const [name, one] of Object.entries(definitions)) expect(one, name).toEqual(DEFINITIONS[name]);
      expect(schema.$id).toBe(`urn:xds-inspect:schema:${short}`);
      const stub = {
        resource,
        [typeNameOf(typeUrl)]: { type: 'object', properties: { '@type': {}, name: { type: 'string' } } },
      };
      const own = new Ajv(STRICT).compile({ ...schema, definitions: stub } as object);
      for (const json of [{ name: 'a' }, [{ name: 'a' }, { '@type': typeUrl }], { '@type': typeUrl }, []])
        expect(own(json)).toBe(true);
      for (const json of [{ name: 1 }, [{ name: 1 }], [null], { '@type': ROUTER }, [{ '@type': ROUTER }], 'a'])
        expect(own(json)).toBe(false);
      expect(own({ '@type': short })).toBe(['LDS', 'RDS', 'CDS', 'EDS'].includes(short));
    },
  );

  it('another message describes only that message', () => {
    const schema = messageSchema(`${T}envoy.config.core.v3.Locality`);
    const own = new Ajv(STRICT).compile(schema);
    expect([own({ region: 'a', sub_zone: 'b' }), own({ regin: 'a' }), own([])]).toEqual([true, false, false]);
    expect(JSON.stringify(schema).length).toBeLessThan(5000);
  });

  it('scenarios describes the contents of their resources', () => {
    const file = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/scenario.schema.json'), 'utf8')) as JsonSchema;
    const schema = withResources(file);
    const { resource, ...definitions } = schema.definitions as Record<string, JsonSchema>;
    const own = file.definitions as Record<string, JsonSchema>;
    for (const [name, one] of Object.entries(definitions)) expect(one, name).toEqual(own[name] ?? DEFINITIONS[name]);
    expect(JSON.stringify(resource)).toContain('#/definitions/google.protobuf.Any');
    const clashes = Object.keys(own).filter((name) => name !== 'resource' && Object.hasOwn(DEFINITIONS, name));
    expect(clashes).toEqual([]);
  });
});

it('the largest schema has at most 1.3 MB', () => {
  expect(JSON.stringify(SCHEMA).length).toBeLessThan(1_300_000);
});

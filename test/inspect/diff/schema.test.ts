import { describe, expect, it } from 'vitest';
import { protoName } from '../../../src/inspect/diff/path.js';
import type { MessageRule, Rule } from '../../../src/inspect/diff/rule.js';
import { entryRule, MESSAGES, OTHER } from '../../../src/inspect/diff/schema.js';
import { type CatalogueField, xdsCatalogue } from '../../../src/proto/json/catalogue.js';

const STRUCTS = ['google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue'];

const FIELDS = [...xdsCatalogue.messageNames()].flatMap((message) =>
  [...(xdsCatalogue.message(message)?.byNumber.values() ?? [])].map((field) => ({ message, field })),
);

/** Whether keys below a field are data in the API. */
const hasDataKeys = ({ mapKey, type }: CatalogueField): boolean =>
  mapKey !== undefined || (type.kind === 'message' && STRUCTS.includes(type.name));

function mismatches(name: string, rule: MessageRule, seen = new Set<Rule>()): string[] {
  if (seen.has(rule)) return [];
  seen.add(rule);
  return [...rule.fields].flatMap(([key, inner]) => {
    const field = xdsCatalogue.message(name)?.byName.get(key);
    if (field === undefined) return [`${name} has no field ${key}`];
    if (inner.kind === 'map') return hasDataKeys(field) ? [] : [`${name}.${key} is no map`];
    if (inner.kind === 'list' && !field.repeated) return [`${name}.${key} is no list`];
    const message = inner.kind === 'list' ? inner.elements : inner;
    if (message.kind !== 'message' || message.fields.size === 0) return [];
    return field.type.kind === 'message'
      ? mismatches(field.type.name, message, seen)
      : [`${name}.${key} is not a message`];
  });
}

describe('rules for the API', () => {
  it.each([...MESSAGES].filter(([name]) => name !== 'google.protobuf.Struct'))('fit %s', (name, rule) => {
    expect(mismatches(name, rule)).toEqual([]);
  });

  it('spell every field as the API does', () => {
    const wrong = FIELDS.filter(({ field }) => protoName(field.jsonName) !== field.name);
    expect(wrong.map(({ message, field }) => `${message}.${field.name}`)).toEqual([
      'opencensus.proto.trace.v1.ProbabilitySampler.samplingProbability',
    ]);
  });

  it('treat a field as a map by its name only if it is one in every message', () => {
    const wrong = FIELDS.filter(({ field }) => entryRule(OTHER, field.name).kind === 'map' && !hasDataKeys(field));
    expect(wrong).toEqual([]);
  });

  it('know every map of texts that occurs in resources of gRPC', () => {
    const typed = (message: string): Rule => MESSAGES.get(message) ?? OTHER;
    const inConfig = FIELDS.filter(({ message }) =>
      /^envoy\.config\.(cluster|endpoint|listener|route)\.v3\./.test(message),
    );
    const missing = inConfig.filter(
      ({ message, field }) => hasDataKeys(field) && entryRule(typed(message), field.name).kind !== 'map',
    );
    // Covered by the rule of the list that contains it, or only in reports of a client.
    expect(missing.map(({ message, field }) => `${message}.${field.name}`)).toEqual([
      'envoy.config.cluster.v3.Cluster.TransportSocketMatch.match',
      'envoy.config.endpoint.v3.UpstreamEndpointStats.metadata',
    ]);
  });

  it('apply to every list of weighted clusters', () => {
    const clusters = FIELDS.filter(({ field }) => field.name === 'weighted_clusters').map(({ message, field }) => {
      const type = field.type.kind === 'message' ? xdsCatalogue.message(field.type.name) : undefined;
      const list = type?.byName.get('clusters');
      const element = list?.type.kind === 'message' ? xdsCatalogue.message(list.type.name) : undefined;
      return { message, isNamed: list?.repeated === true && element?.byName.has('name') === true };
    });
    expect(clusters.length).toBeGreaterThan(3);
    expect(clusters.filter(({ isNamed }) => !isNamed)).toEqual([]);
  });
});

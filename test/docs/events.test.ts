import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { eventJson } from '../../src/view/event-json.js';
import { eventLine } from '../../src/view/event-line.js';
import { gapText } from '../../src/view/render/gap.js';
import { ROOT } from '../support/root.js';
import { Simulation, scenarioFrom } from '../support/simulate.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/event.schema.json'), 'utf8'));
const KINDS: Event['kind'][] = [
  'channel',
  'stream',
  'request',
  'response',
  'resource',
  'error',
  'timer',
  'fallback',
  'config',
  'tear',
  'finding',
];

/** Two servers, fallback and return, a timer, a NACK, a server error, a deletion, a name of an unknown authority. */
function eventful(): Event[] {
  const run = new Simulation(
    scenarioFrom(`
resources:
  l:
    "@type": LDS
    name: l
    api_listener:
      api_listener:
        "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
        http_filters: [{ name: r, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }]
        route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: a } }] }] }
  a: { "@type": CDS, name: a, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  bad: { "@type": CDS, name: b }
  e: { "@type": EDS, cluster_name: a }
servers:
  first:
    state: refusing
    serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [a, bad] }, { type: EDS, version: "1", resources: [e] }]
  second:
    serves: [{ type: LDS, version: "9", resources: [l] }]
    on: [{ request: CDS, do: [{ send: { type: CDS, version: "9", errors: [{ name: a, code: NOT_FOUND }] } }] }]
steps: [{ wait: 40s }, { state: listening, server: first }, { wait: 5s }, { close: { code: UNAVAILABLE }, server: first }]
`),
  );
  run.session.dispatch({ kind: 'follow', scope: 'test', target: 'xds:///l', listener: 'l', authority: 'l' });
  run.watch(RESOURCE_TYPES.CDS, 'b', 'c', 'xdstp://nobody/x');
  run.clock.advanceTo(100_000);
  return run.events;
}

describe('events', () => {
  const validate = new Ajv({ formats: { 'date-time': true }, allowUnionTypes: true }).compile(schema);
  const events = eventful();

  it('of every kind occur in the scenario', () => {
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  it('all match the schema', () => {
    for (const event of events) {
      const json = JSON.parse(JSON.stringify(eventJson(event)));
      expect(validate(json), JSON.stringify({ json, errors: validate.errors?.slice(0, 3) })).toBe(true);
    }
  });

  it('may be replaced by a count of dropped lines, which matches the schema', () => {
    const json = JSON.parse(gapText('ndjson', 12, 0));
    expect(validate(json), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
    expect(json).toEqual({ at: '1970-01-01T00:00:00Z', scope: '', kind: 'dropped', count: 12 });
  });

  it('fail the schema with a field too many or too few', () => {
    const json = eventJson(events[0] as Event);
    expect(validate({ ...json, more: 1 })).toBe(false);
    const { at: _at, ...less } = json;
    expect(validate(less)).toBe(false);
  });

  it('are each one line of text', () => {
    for (const event of events) expect(eventLine(event).text).toMatch(/^\S[^\n]*$/);
  });

  it('are all on the page, with their fields', () => {
    const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
    for (const kind of KINDS) {
      expect(page).toContain(`| \`${kind}\` |`);
      for (const field of Object.keys(schema.$defs[kind].properties))
        expect(page, `${kind}.${field}`).toContain(`\`${field}\``);
    }
  });
});

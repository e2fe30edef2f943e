import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import type { ProtocolFinding } from '../../src/findings/finding.js';
import { type FilterSettings, ResourceFilter } from '../../src/inspect/resource-filter.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';

const { CDS, EDS } = RESOURCE_TYPES;

function filter(settings: Partial<FilterSettings>): ResourceFilter {
  return new ResourceFilter({ type: undefined, status: undefined, name: undefined, ...settings });
}

const event = (fields: object): Event => ({ at: 0, scope: 's', server: 'p', ...fields }) as unknown as Event;
const resource = (name: string, status = 'ACKED'): Event => event({ kind: 'resource', typeUrl: CDS, name, status });
const response = (names: string[], errors: string[] = []): Event =>
  event({ kind: 'response', typeUrl: CDS, names, errors: errors.map((name) => ({ name })) });
const tear = (...resources: [type: string, name: string][]): Event =>
  event({ kind: 'tear', resources: resources.map(([type, name]) => ({ type, name })) });
const finding = (names: string[], typeUrl?: string): Event => event({ kind: 'finding', typeUrl, names });
const error = (cache?: string): Event => event({ kind: 'error', typeUrl: CDS, name: 'blue', cache });
const channel = event({ kind: 'channel', state: 'READY' });

describe('an event of a filtered output', () => {
  const table: [title: string, isShown: boolean, Partial<FilterSettings>, Event][] = [
    ['is shown without a filter', true, {}, resource('blue')],
    ['is shown without a filter if it is an error', true, {}, error('NACKED')],
    ['is shown if its type is wanted', true, { type: ['CDS'] }, resource('blue')],
    ['is hidden if another type is wanted', false, { type: ['EDS'] }, resource('blue')],
    ['is shown with a type if it is about no resource', true, { type: ['EDS'] }, channel],
    ['is shown with a name if it is about no resource', true, { name: 'blue' }, channel],
    ['is hidden with a status if it is about no resource', false, { status: ['ACKED'] }, channel],
    ['is shown if its resource has the status', true, { status: ['ACKED'] }, resource('blue')],
    ['is hidden if its resource has another status', false, { status: ['NACKED'] }, resource('blue')],
    ['is shown if the resource has the status after an error', true, { status: ['NACKED'] }, error('NACKED')],
    ['is hidden if the resource has another status after an error', false, { status: ['ACKED'] }, error('NACKED')],
    ['is hidden with a status if the resource has none after an error', false, { status: ['ACKED'] }, error()],
    ['is shown if the name matches', true, { name: '^bl' }, resource('blue')],
    ['is hidden if the name does not match', false, { name: '^bl' }, resource('red')],
    ['is shown for a response with the name', true, { name: 'blue' }, response(['red', 'blue'])],
    ['is shown for a response with an error of the name', true, { name: 'blue' }, response(['red'], ['blue'])],
    ['is hidden for a response without the name', false, { name: 'blue' }, response(['red'], ['green'])],
    ['is hidden for a response without names', false, { name: 'blue' }, response([])],
    ['is shown for a tear between the name and another', true, { name: 'blue' }, tear(['RDS', 'r'], ['CDS', 'blue'])],
    ['is hidden for a tear of other names', false, { name: 'blue' }, tear(['RDS', 'r'], ['CDS', 'red'])],
    ['is shown for a tear between the type and another', true, { type: ['CDS'] }, tear(['RDS', 'r'], ['CDS', 'blue'])],
    ['is hidden for a tear of other types', false, { type: ['EDS'] }, tear(['RDS', 'r'], ['CDS', 'blue'])],
    ['is shown for a finding about no resource', true, { name: 'blue' }, finding([])],
    ['is shown for a finding about the name', true, { name: 'blue' }, finding(['blue'], CDS)],
    ['is hidden for a finding about another name', false, { name: 'blue' }, finding(['red'], CDS)],
    ['is hidden for a request of other names', false, { name: 'blue' }, event({ kind: 'request', names: ['red'] })],
    ['is hidden for a request of no names', false, { name: 'blue' }, event({ kind: 'request', names: [] })],
  ];
  it.each(table)('%s', (_, isShown, settings, one) => {
    expect(filter(settings).isShownEvent(one)).toBe(isShown);
  });
});

describe('a finding of a filtered output', () => {
  const table: [title: string, isShown: boolean, Partial<FilterSettings>, typeUrl: string | undefined, string[]][] = [
    ['is shown without a filter', true, {}, CDS, ['blue']],
    ['is hidden with a status, which findings do not have', false, { status: ['ACKED'] }, undefined, []],
    ['is shown if its type is wanted', true, { type: ['EDS'] }, EDS, ['blue']],
    ['is hidden if another type is wanted', false, { type: ['CDS'] }, EDS, ['blue']],
    ['is shown with a type if it has none', true, { type: ['CDS'] }, undefined, []],
    ['is shown with a name if it names no resource', true, { name: 'blue' }, CDS, []],
    ['is shown if one of its names matches', true, { name: 'blue' }, CDS, ['red', 'blue']],
    ['is hidden if none of its names matches', false, { name: 'blue' }, CDS, ['red']],
  ];
  it.each(table)('%s', (_, isShown, settings, typeUrl, names) => {
    expect(filter(settings).isShownFinding({ typeUrl, names } as unknown as ProtocolFinding)).toBe(isShown);
  });
});

import { expect, it } from 'vitest';
import { notesOn } from '../../src/peers/notes.js';
import { CONTEXT } from '../resources/context.js';

it('reads the virtual hosts of a route configuration a bounded number of times, however many rules there are', () => {
  let reads = 0;
  const json = {
    name: 'r',
    get virtualHosts() {
      reads++;
      return [{ domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: 'c' } }] }];
    },
  };
  notesOn({
    typeName: 'envoy.config.route.v3.RouteConfiguration',
    json,
    bytes: new Uint8Array(0),
    result: { ok: true, name: 'r', resource: {}, ignored: [], remarks: [] },
    context: CONTEXT,
  });
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(20);
});

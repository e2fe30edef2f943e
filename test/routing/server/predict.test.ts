import { describe, expect, it } from 'vitest';
import { predictServed } from '../../../src/routing/server/predict.js';

type Listener = Parameters<typeof predictServed>[0];
type Call = Parameters<typeof predictServed>[2];

const ROUTE = {
  match: { path: { kind: 'prefix', text: '', ignoreCase: false }, headers: [] },
  action: { kind: 'non-forwarding' },
  overrides: new Map(),
};
const ROUTES = { virtualHosts: [{ domains: ['*'], routes: [ROUTE], overrides: new Map() }] };

/** The outcome of an RPC in the only filter chain of a server, with these filters. */
function outcome(...filters: object[]) {
  const connectionManager = { routes: { kind: 'inline', config: ROUTES }, filters };
  const listener = { filterChains: [{ connectionManager }] } as unknown as Listener;
  const call = { path: '/s/m', metadata: [], authority: 'a' } as unknown as Call;
  const [prediction] = predictServed(listener, () => ({ error: 'not used' }), call);
  return { filter: prediction?.filter, ...prediction?.outcome };
}

describe('an RPC to a server', () => {
  it('is accepted if its only filter is disabled', () => {
    expect(outcome({ name: 'off', disabled: true, config: { kind: 'composite' } })).toMatchObject({ kind: 'accepts' });
  });

  it('depends on the filter that a composite filter selects', () => {
    expect(outcome({ name: 'c', disabled: false, config: { kind: 'composite' } })).toEqual({
      ...{ filter: 'c', kind: 'depends', on: ['the filter that the composite filter selects'] },
    });
  });
});

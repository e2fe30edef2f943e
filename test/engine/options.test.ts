import { expect, it } from 'vitest';
import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import { engineOptions } from '../../src/engine/options.js';

const server = (uri: string): object => ({ server_uri: uri, channel_creds: [{ type: 'insecure' }] });
const TEXT = JSON.stringify({
  xds_servers: [server('a'), server('b')],
  authorities: { x: { xds_servers: [server('c'), server('d')], fallback_on_reachability_only: true } },
});

function options(variables: Record<string, string>, preset: 'spec' | 'c-core' = 'spec') {
  const read = readBootstrap(new TextEncoder().encode(TEXT), readSwitches(variables, preset));
  if (!read.ok) throw new Error(read.message);
  const agent = { userAgentName: '', userAgentVersion: '' };
  return engineOptions(read.bootstrap, { preset, variables, ...agent, interfaces: new Map(), seed: 1 });
}

it('keeps only the first server of each list if fallback is off; C-core ignores that switch (D23)', () => {
  const uris = (variables: Record<string, string>, preset?: 'c-core'): string[] => {
    const { servers, authorities } = options(variables, preset);
    return [...servers, ...(authorities?.get('x')?.servers ?? [])].map(({ uri }) => uri);
  };
  expect(uris({})).toEqual(['a', 'b', 'c', 'd']);
  expect(uris({ GRPC_EXPERIMENTAL_XDS_FALLBACK: 'false' })).toEqual(['a', 'c']);
  expect(uris({ GRPC_EXPERIMENTAL_XDS_FALLBACK: 'false' }, 'c-core')).toEqual(['a', 'b', 'c', 'd']);
});

it('enables A88 by the variable or the preset (D13), and A95 only by the variable', () => {
  const a88 = (variables: Record<string, string>, preset?: 'c-core') =>
    options(variables, preset).context?.switches.dataErrorHandling;
  expect([a88({}), a88({}, 'c-core')]).toEqual([true, false]);
  expect(a88({ GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true' }, 'c-core')).toBe(true);
  expect(options({}).authorities?.get('x')?.alwaysFallBack).toBe(false);
  const switched = options({ GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK: 'true' });
  expect(switched.authorities?.get('x')?.alwaysFallBack).toBe(true);
});

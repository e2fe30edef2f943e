import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { statusRequest } from '../../src/csds/status-request.js';
import { respondToStatusRequest } from '../../src/csds/status-response.js';
import { ClientStatusRequest, ClientStatusResponse } from '../../src/proto/generated/envoy.service.status.v3.js';
import { decode, encode } from '../../src/proto/message-type.js';
import { Plane } from '../deps/plane.js';

const FEATURES = ['envoy.lb.does_not_support_overprovisioning', 'xds.config.resource-in-sotw'];
const NODE = { id: 'n', userAgentName: 'me', userAgentVersion: '1' };

const clientsOf = ({ engine }: Plane) => engine.snapshot().map((scope) => ({ ...scope, node: NODE }));

function ask(request: Uint8Array, as: 'spec' | 'c-core' = 'spec') {
  const plane = new Plane();
  plane.server.set('LDS', 'l', { name: 'l', apiListener: {} });
  plane.follow();
  const answer = respondToStatusRequest(request, clientsOf(plane), PRESETS[as].policies);
  if (!(answer instanceof Uint8Array)) return answer;
  const decoded = decode(ClientStatusResponse, answer);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

describe('respondToStatusRequest', () => {
  const everything = statusRequest([]);
  const matching = statusRequest(['n']);
  const lean = encode(ClientStatusRequest, ClientStatusRequest.create({ excludeResourceContents: true }));

  it('returns every client_scope, with the same node as on ADS (D22)', () => {
    expect(ask(everything)).toMatchObject({
      config: [
        {
          clientScope: 's',
          node: { id: 'n', userAgentName: 'me', clientFeatures: FEATURES },
          genericXdsConfigs: [{ name: 'l', typeUrl: expect.stringContaining('Listener'), clientStatus: 4 }],
        },
      ],
    });
  });

  it('returns a node with only one client feature as C-core (D22)', () => {
    expect(ask(everything, 'c-core')).toMatchObject({ config: [{ node: { clientFeatures: FEATURES.slice(0, 1) } }] });
  });

  it('rejects node_matchers, except as C-core (D21)', () => {
    expect(ask(matching)).toEqual({ code: 3, message: expect.stringMatching(/^node_matchers are not supported/) });
    expect(ask(matching, 'c-core')).toMatchObject({ config: [{ clientScope: 's' }] });
  });

  it('omits contents on request, except as C-core (D21)', () => {
    const plane = new Plane();
    const listener = {
      name: 'l',
      apiListener: {
        apiListener: {
          '@type':
            'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
          routeConfig: {},
          httpFilters: [
            {
              name: 'r',
              typedConfig: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
            },
          ],
        },
      },
    };
    plane.server.set('LDS', 'l', listener);
    plane.follow();
    const contents = (as: 'spec' | 'c-core'): unknown[] => {
      const answer = respondToStatusRequest(lean, clientsOf(plane), PRESETS[as].policies);
      const decoded = decode(ClientStatusResponse, answer as Uint8Array);
      return decoded.ok
        ? [...decoded.value.config].flatMap(({ genericXdsConfigs }) =>
            genericXdsConfigs.map(({ versionInfo, xdsConfig }) => [versionInfo, xdsConfig !== undefined]),
          )
        : [];
    };
    expect(contents('spec')).toEqual([['1', false]]);
    expect(contents('c-core')).toEqual([['1', true]]);
  });

  it('rejects a malformed request with the byte offset', () => {
    expect(ask(new Uint8Array([0x0a, 0x05]))).toEqual({
      code: 3,
      message: expect.stringMatching(/^not a ClientStatusRequest: .* at byte 2$/),
    });
  });
});

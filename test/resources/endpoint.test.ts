import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { ClusterLoadAssignment } from '../../src/proto/generated/envoy.config.endpoint.v3.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseMessage } from '../../src/proto/json/parse.js';
import { decode } from '../../src/proto/message-type.js';
import { addressUri, joinHostPort, parseIpAddress } from '../../src/resources/common/ip-address.js';
import { validateEndpoints } from '../../src/resources/endpoint.js';

import { CONTEXT } from './context.js';

function validate(json: object): ReturnType<typeof validateEndpoints> {
  const bytes = parseMessage(xdsCatalogue, ClusterLoadAssignment.typeName, json, new Problems());
  const decoded = decode(ClusterLoadAssignment, bytes ?? new Uint8Array([255]));
  if (!decoded.ok) throw new Error(decoded.reason);
  return validateEndpoints(decoded.value, CONTEXT);
}

const endpoint = (port: number, more: object = {}): object => ({
  endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: port } } },
  ...more,
});

describe('validateEndpoints', () => {
  it('returns the endpoints that gRPC uses by priority, and the parts that it skips', () => {
    const result = validate({
      cluster_name: 'c',
      endpoints: [
        {
          locality: { region: 'r' },
          load_balancing_weight: 2,
          priority: 1,
          lb_endpoints: [
            endpoint(1, { health_status: 'DRAINING', load_balancing_weight: 7 }),
            endpoint(2, { health_status: 'UNHEALTHY' }),
          ],
        },
        { locality: {}, load_balancing_weight: 1, lb_endpoints: [endpoint(3)] },
        { locality: {}, lb_endpoints: [{}] },
      ],
      policy: { drop_overloads: [{ category: 'd', drop_percentage: { numerator: 5 } }] },
    });
    expect(result).toMatchObject({
      ok: true,
      name: 'c',
      resource: {
        priorities: [
          [{ weight: 1, endpoints: [{ health: 'unknown', weight: 1, addresses: [{ port: 3 }] }] }],
          [{ name: { region: 'r' }, weight: 2, endpoints: [{ health: 'draining', weight: 7 }] }],
        ],
        drops: [{ category: 'd', perMillion: 50_000 }],
      },
      ignored: [
        { path: 'endpoints[0].lb_endpoints[1]', reason: 'health_status UNHEALTHY: gRPC skips the endpoint' },
        { path: 'endpoints[2]', reason: 'a locality without load_balancing_weight gets no load: gRPC skips it' },
      ],
    });
  });

  it('lists every problem with its path and its steps in the document', () => {
    const result = validate({
      endpoints: [
        { load_balancing_weight: 1, locality: {}, lb_endpoints: [endpoint(70_000, { load_balancing_weight: 0 }), {}] },
      ],
    });
    expect(result.ok ? [] : result.problems).toEqual([
      {
        path: 'endpoints[0].lb_endpoints[0].endpoint.address.socket_address.port_value',
        steps: ['endpoints', 0, 'lb_endpoints', 0, 'endpoint', 'address', 'socket_address', 'port_value'],
        reason: 'invalid port',
      },
      {
        path: 'endpoints[0].lb_endpoints[0].load_balancing_weight',
        steps: ['endpoints', 0, 'lb_endpoints', 0, 'load_balancing_weight'],
        reason: 'must be greater than 0',
      },
      {
        path: 'endpoints[0].lb_endpoints[1].endpoint',
        steps: ['endpoints', 0, 'lb_endpoints', 1, 'endpoint'],
        reason: 'field not present',
      },
    ]);
  });

  it('handles 20,000 localities and a priority of four billion', () => {
    const localities = Array.from({ length: 20_000 }, (_, i) => ({
      locality: { zone: `z${i}` },
      load_balancing_weight: 1,
      priority: i === 0 ? 4_294_967_295 : 0,
    }));
    const result = validate({ endpoints: localities });
    expect(result.ok ? [] : result.problems.map((p) => p.reason)).toEqual([
      'priority 4294967295 >= number of localities (20000)',
    ]);
  });
});

describe('parseIpAddress', () => {
  const uri = (host: string, port = 443): string | undefined => {
    const parsed = parseIpAddress(joinHostPort(host, port), CONTEXT.interfaces);
    return parsed && addressUri(parsed);
  };
  const cases: [host: string, uri: string | undefined][] = [
    ['127.0.0.1', 'ipv4:127.0.0.1:443'],
    ['127.0.0.1\0junk', 'ipv4:127.0.0.1:443'],
    ['127.1', undefined],
    ['127.0.0.01', undefined],
    ['256.0.0.1', undefined],
    ['', undefined],
    ['localhost', undefined],
    ['[127.0.0.1]', undefined],
    ['::1', 'ipv6:%5B::1%5D:443'],
    ['0:0:0:0:0:0:0:1', 'ipv6:%5B::1%5D:443'],
    ['[::1]:5', 'ipv6:%5B::1%5D:5'],
    ['::ffff:127.0.0.1', 'ipv4:127.0.0.1:443'],
    ['::1.2.3.4', 'ipv6:%5B::1.2.3.4%5D:443'],
    ['2001:DB8::a:0:0:1', 'ipv6:%5B2001:db8::a:0:0:1%5D:443'],
    ['2001:db8:0:1:1:1:1:1', 'ipv6:%5B2001:db8:0:1:1:1:1:1%5D:443'],
    ['fe80::1%lo', 'ipv6:%5Bfe80::1%251%5D:443'],
    ['fe80::1%7', 'ipv6:%5Bfe80::1%257%5D:443'],
    ['fe80::1%nosuchif', undefined],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['12345::', undefined],
    ['::', 'ipv6:%5B::%5D:443'],
  ];
  for (const [host, want] of cases) it(JSON.stringify(host), () => expect(uri(host)).toBe(want));
});

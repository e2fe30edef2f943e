import { describe, expect, it } from 'vitest';
import type { ConnectionManager } from '../../src/resources/http-connection-manager.js';
import type { RouteAction } from '../../src/resources/route-action.js';
import { effectiveTimeout } from '../../src/routing/timeout.js';
import { acceptedJson } from '../resources/validate.js';

/** A validated route action and its listener. */
function configured(route: object, listenerMs = 0): { action: RouteAction; listener: ConnectionManager } {
  const resource = acceptedJson('RDS', {
    name: 'r',
    virtual_hosts: [{ domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: 'c', ...route } }] }],
  });
  const action = resource.type === 'RDS' ? resource.value.virtualHosts[0]?.routes[0]?.action : undefined;
  if (action?.kind !== 'route') throw new Error('no route');
  return { action, listener: { routes: undefined, maxStreamDurationMs: listenerMs, filters: [] } };
}

const s = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1000);

describe('timeouts today (max_stream_duration)', () => {
  /** Application deadline, grpc_timeout_header_max, max_stream_duration of route and listener; the timeout and its source. */
  it.each<[number | undefined, string | undefined, string | undefined, number, number | undefined, string]>([
    [undefined, undefined, undefined, 0, undefined, 'none'],
    [undefined, undefined, '0s', 9, undefined, 'none'],
    [undefined, undefined, '10s', 0, 10, 'route'],
    [undefined, '0s', '5s', 0, undefined, 'none'],
    [undefined, '10s', '5s', 0, 10, 'route'],
    [10, undefined, undefined, 0, 10, 'application'],
    [20, undefined, undefined, 0, 20, 'application'],
    [20, undefined, '0s', 9, 20, 'application'],
    [20, undefined, '10s', 0, 10, 'route'],
    [20, '0s', '5s', 0, 20, 'application'],
    [20, '10s', '5s', 0, 10, 'route'],
    [20, undefined, undefined, 9, 9, 'listener'],
    [5, undefined, undefined, 9, 5, 'application'],
  ])(
    'deadline %s, header max %s, route %s, listener %s: %s s from %s',
    (deadline, header, route, listenerS, expected, from) => {
      const duration = {
        ...(header !== undefined && { grpc_timeout_header_max: header }),
        ...(route !== undefined && { max_stream_duration: route }),
      };
      const isSet = Object.keys(duration).length > 0;
      const { action, listener } = configured(isSet ? { max_stream_duration: duration } : {}, listenerS * 1000);
      expect(effectiveTimeout(action, listener, s(deadline))).toEqual({ ms: s(expected), from });
    },
  );
});

describe("timeouts of A31's table", () => {
  /** Application deadline, max_grpc_timeout, timeout; the timeout and its source. */
  it.each<[number | undefined, string | undefined, string | undefined, number | undefined, string]>([
    [undefined, undefined, undefined, 15, 'default'],
    [undefined, undefined, '10s', 10, 'route'],
    [undefined, '0s', '5s', undefined, 'none'],
    [undefined, '10s', '5s', 10, 'route'],
    [10, undefined, undefined, 10, 'application'],
    [20, undefined, undefined, 15, 'default'],
    [20, undefined, '10s', 10, 'route'],
    [20, '0s', '5s', 20, 'application'],
    [20, '10s', '5s', 10, 'route'],
  ])('deadline %s, max_grpc_timeout %s, timeout %s: %s s from %s', (deadline, max, timeout, expected, from) => {
    const { action, listener } = configured({
      ...(max !== undefined && { max_grpc_timeout: max }),
      ...(timeout !== undefined && { timeout }),
      grpc_timeout_offset: '1s',
    });
    expect(effectiveTimeout(action, listener, s(deadline), 'a31')).toEqual({ ms: s(expected), from });
  });
});

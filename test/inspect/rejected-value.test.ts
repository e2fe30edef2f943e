import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { rejectedValue } from '../../src/inspect/verdict/rejected-value.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseMessage } from '../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';

const HCM = 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';

function listenerBytes(): Uint8Array {
  const api_listener = { '@type': `type.googleapis.com/${HCM}`, rds: { route_config_name: 'r' } };
  const listener = { name: 'l', api_listener: { api_listener }, listener_filters: [{ name: 'f' }] };
  const bytes = parseMessage(xdsCatalogue, 'envoy.config.listener.v3.Listener', listener, new Problems());
  if (bytes === undefined) throw new Error('not encoded');
  return bytes;
}

describe('the rejected value in a listener', () => {
  it.each<[title: string, path: string, value: string | undefined]>([
    ['is that of a field', 'listener_filters[0].name', '"f"'],
    [
      'is that of a field of its HttpConnectionManager',
      `api_listener.api_listener.value[${HCM}].rds.route_config_name`,
      '"r"',
    ],
    [
      'is not read from an extension of another type, which is not decoded',
      'api_listener.api_listener.value[envoy.config.rbac.v3.RBAC].rds.route_config_name',
      undefined,
    ],
    ['is unknown in an extension that was not sent', `listener_filters[0].typed_config.value[${HCM}].a`, undefined],
    ['is unknown for an element that was not sent', 'listener_filters[1].name', undefined],
  ])('%s', (_, path, value) => {
    expect(rejectedValue(RESOURCE_TYPES.LDS, listenerBytes(), path)).toBe(value);
  });
});

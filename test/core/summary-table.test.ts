import { describe, expect, it } from 'vitest';
import { predict } from '../../src/routing/predict.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';

const FAIL = 'fail_on_data_errors';
const TRANSIENT = 'resource_timer_is_transient_error';

/** A target that uses the cluster `a`. */
function followTarget(features: string[], isServed = true): Plane {
  const plane = new Plane({ features });
  plane.server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('a'));
  if (isServed) plane.server.set('CDS', 'a', json.eds('a')).set('EDS', 'a', json.endpoints('a'));
  plane.follow();
  return plane;
}

const EVENTS: Record<string, (plane: Plane) => void> = {
  'NACK from client': (plane) => plane.server.set('CDS', 'a', { name: 'a' }).push('CDS'),
  deletion: (plane) => plane.server.set('CDS', 'a', undefined).push('CDS'),
  'TP3 NOT_FOUND': (plane) => plane.server.reportError('CDS', 'a', { code: 5, message: 'gone' }).push('CDS'),
  'TP3 PERMISSION_DENIED': (plane) => plane.server.reportError('CDS', 'a', { code: 7, message: 'no' }).push('CDS'),
  'TP3 other status': (plane) => plane.server.reportError('CDS', 'a', { code: 13, message: 'trouble' }).push('CDS'),
};

/** Whether an RPC would connect to an endpoint. */
function connects(plane: Plane): boolean {
  const call = { path: '/s/m', metadata: [] };
  return predict(plane.channel.state, call, { nodeId: 'n', random: () => 0 }).outcome.kind === 'connects';
}

/** The last error of the cluster: the callback of the draft with its parameters, and the effect. */
function lastError(plane: Plane): object | undefined {
  const event = plane.events.findLast((one) => one.kind === 'error' && one.name === 'a');
  if (event?.kind !== 'error') return undefined;
  const { draft, status, failOnDataErrors, effect } = event;
  return { draft, code: status.code, failOnDataErrors, effect };
}

describe("the summary table of A88's draft", () => {
  it.each<[event: string, fails: boolean, draft: string, code: number, effect: 'kept' | 'dropped']>([
    ['NACK from client', false, 'OnClientDataError', 3, 'kept'],
    ['NACK from client', true, 'OnClientDataError', 3, 'dropped'],
    ['deletion', false, 'OnServerDataError', 5, 'kept'],
    // The table of the draft has false as the parameter here, which is an error: the resource is dropped.
    ['deletion', true, 'OnServerDataError', 5, 'dropped'],
    ['TP3 NOT_FOUND', false, 'OnServerDataError', 5, 'kept'],
    ['TP3 PERMISSION_DENIED', false, 'OnServerDataError', 7, 'kept'],
    ['TP3 NOT_FOUND', true, 'OnServerDataError', 5, 'dropped'],
    ['TP3 PERMISSION_DENIED', true, 'OnServerDataError', 7, 'dropped'],
    ['TP3 other status', false, 'OnServerDataError', 13, 'kept'],
    ['TP3 other status', true, 'OnServerDataError', 13, 'kept'],
  ])('%s, fail_on_data_errors %s: %s', (event, failOnDataErrors, draft, code, effect) => {
    const plane = followTarget(failOnDataErrors ? [FAIL] : []);
    expect(connects(plane)).toBe(true);
    EVENTS[event]?.(plane);
    plane.pass(100);
    expect(lastError(plane)).toEqual({ draft, code, failOnDataErrors, effect });
    expect(connects(plane)).toBe(effect === 'kept');
  });

  it.each<[fails: boolean, isTransient: boolean, draft: string, code: number, afterMs: number]>([
    // The text of the draft calls it a server data error, its table a client data error. gRPC follows the text (D8).
    [false, false, 'OnServerDataError', 5, 15_000],
    [true, false, 'OnServerDataError', 5, 15_000],
    [false, true, 'OnTransientError', 14, 30_000],
    [true, true, 'OnTransientError', 14, 30_000],
  ])(
    'resource timeout, fail_on_data_errors %s, resource_timer_is_transient_error %s: %s',
    (failOnDataErrors, isTransient, draft, code, afterMs) => {
      const plane = followTarget([...(failOnDataErrors ? [FAIL] : []), ...(isTransient ? [TRANSIENT] : [])], false);
      plane.pass(afterMs - 200);
      expect(lastError(plane)).toBeUndefined();
      plane.pass(400);
      expect(lastError(plane)).toEqual({ draft, code, failOnDataErrors, effect: 'none-cached' });
      expect(connects(plane)).toBe(false);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { statusMeaning } from '../../src/inspect/verdict/status-meaning.js';
import { causeScenarios } from './cause-scenarios.js';

describe('the meaning of', () => {
  it.each([
    ['empty address list (LDS resource greeter: does not exist (node ID:n))', 'gRPC has no listener for this target'],
    ['empty address list', 'gRPC has no listener for this target'],
    ['empty address list (RDS resource rt: does not exist (node ID:n))', 'gRPC has no routes for this target'],
    [
      'empty address list (RDS resource rt: could not find VirtualHost for greeter in RouteConfiguration (node ID:n))',
      'no virtual host matches this target',
    ],
    ['empty address list: EDS resource blue: contains no localities', 'no usable endpoint'],
    ['empty address list (EDS resource blue: contains no localities)', 'no usable endpoint'],
    ['no children in weighted_target policy (xDS node ID:n)', 'no usable endpoint'],
    ['EDS-configured drop: lb', 'the load assignment drops RPCs'],
    ['circuit breaker drop', 'max_requests of the cluster is reached'],
    ['No matching route found in xDS route config', 'no route matches'],
    ['Matching route has inappropriate action', 'gRPC does not support the action of the route'],
    ['Fault injected', 'the fault filter aborts RPCs'],
    ['connections to all backends failing; last error: UNKNOWN: ipv4:10.0.0.1:80: …', 'no endpoint can be reached'],
  ])('%s', (message, gloss) => {
    expect(statusMeaning(message)).toBe(gloss);
  });

  it('a message of an application is undefined', () => {
    expect(statusMeaning('user 7 has no orders')).toBeUndefined();
  });

  it('every status in the scenarios of causes is defined', async () => {
    const missing: string[] = [];
    for (const { name, reached } of causeScenarios()) {
      const { inspection } = await reached();
      const [found] = inspection.verdict();
      inspection.close();
      for (const { status } of found?.routes ?? []) {
        if (status !== null && statusMeaning(status.message) === undefined) missing.push(`${name}: ${status.message}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

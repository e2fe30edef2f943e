import { expect, it } from 'vitest';
import type { FaultConfig } from '../../src/resources/filters/fault.js';
import { injectedFault } from '../../src/routing/fault.js';

const share = (numerator: number, denominator = 100) => ({ numerator, denominator });
const abort = (grpcStatus: number, part: ReturnType<typeof share>, fromHeaders = false): Partial<FaultConfig> => ({
  abort: { grpcStatus, fromHeaders, share: part },
});
const delay = (ms: number, part: ReturnType<typeof share>, fromHeaders = false): Partial<FaultConfig> => ({
  delay: { ms, fromHeaders, share: part },
});
const CODE = 'x-envoy-fault-abort-grpc-request';
const ABORTED = 'x-envoy-fault-abort-percentage';
const DELAY = 'x-envoy-fault-delay-request';
const DELAYED = 'x-envoy-fault-delay-request-percentage';

it.each<[string, Partial<FaultConfig>, [string, string][], object]>([
  ['no fault', {}, [], {}],
  ['an abort of all calls', abort(14, share(100)), [], { abort: { code: 14, share: 1 } }],
  ['an abort of more than 100 %', abort(14, share(4_294_967_295)), [], { abort: { code: 14, share: 1 } }],
  ['an abort of some calls', abort(14, share(25, 10_000)), [], { abort: { code: 14, share: 0.0025 } }],
  ['an abort of 0 %', abort(14, share(0)), [], {}],
  ['an abort with OK', abort(0, share(100)), [], {}],
  ['an abort by header without the header', abort(0, share(100), true), [], {}],
  [
    'an abort with the status from a header',
    abort(0, share(100), true),
    [[CODE, '7']],
    { abort: { code: 7, share: 1 } },
  ],
  [
    'an abort with UNKNOWN if the header is not a number',
    abort(0, share(100), true),
    [[CODE, 'x']],
    { abort: { code: 2, share: 1 } },
  ],
  [
    'an abort with UNKNOWN if the header is not a status code',
    abort(0, share(100), true),
    [[CODE, '17']],
    { abort: { code: 2, share: 1 } },
  ],
  [
    'an abort with the last status code from a header',
    abort(0, share(100), true),
    [[CODE, ' 16 ']],
    { abort: { code: 16, share: 1 } },
  ],
  [
    'an abort with UNKNOWN if the number in the header is followed by text',
    abort(0, share(100), true),
    [[CODE, '7x']],
    { abort: { code: 2, share: 1 } },
  ],
  ['no abort by header if the filter does not use headers', abort(0, share(100)), [[CODE, '7']], {}],
  [
    'an abort of a smaller share from a header',
    abort(0, share(50), true),
    [
      [CODE, '7'],
      [ABORTED, '10'],
    ],
    { abort: { code: 7, share: 0.1 } },
  ],
  [
    'an abort of the configured share if a header has a larger one',
    abort(0, share(50), true),
    [
      [CODE, '7'],
      [ABORTED, '90'],
    ],
    { abort: { code: 7, share: 0.5 } },
  ],
  [
    'an abort of the configured share if a header has a negative one',
    abort(0, share(50), true),
    [
      [CODE, '7'],
      [ABORTED, '-1'],
    ],
    { abort: { code: 7, share: 0.5 } },
  ],
  ['a delay', delay(500, share(100)), [], { delay: { ms: 500, share: 1 } }],
  [
    'a delay and its share from headers',
    delay(0, share(100), true),
    [
      [DELAY, '250'],
      [DELAYED, '20'],
    ],
    { delay: { ms: 250, share: 0.2 } },
  ],
  ['no delay of 0 %', delay(500, share(0)), [], {}],
  ['no delay if the header is negative', delay(0, share(100), true), [[DELAY, '-5']], {}],
  [
    'no fault with max_active_faults 0',
    { ...abort(14, share(100)), ...delay(9, share(0)), maxActiveFaults: 0 },
    [],
    {},
  ],
  [
    'an abort of calls with a delay, even with max_active_faults 0',
    { ...abort(14, share(50)), ...delay(9, share(100)), maxActiveFaults: 0 },
    [],
    { abort: { code: 14, share: 0.5 } },
  ],
])('the fault filter injects %s', (_what, config, metadata, expected) => {
  const fault = { abort: undefined, delay: undefined, maxActiveFaults: undefined, ...config };
  expect(injectedFault(fault, { path: '/s/m', metadata })).toEqual({ abort: undefined, delay: undefined, ...expected });
});

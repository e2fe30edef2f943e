import { describe, expect, it } from 'vitest';
import { behaviourOf } from '../../src/bootstrap/behaviour.js';
import { isPreset, PRESET_NAMES, presetNamed } from '../../src/bootstrap/preset-names.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { serverRules } from '../../src/bootstrap/server-rules.js';
import { readSwitches } from '../../src/bootstrap/switches.js';

const A88 = { dataErrorHandling: true };
const WITHOUT_A88 = { dataErrorHandling: false };
const rules = (features: string[], switches = A88) =>
  serverRules(new Set(features), switches, { resourceTimerMs: 15, transientTimerMs: 30 });

describe('server rules', () => {
  it.each([
    ['no features', rules([]), { resourceTimerMs: 15, isTimerTransient: false, failOnDataErrors: false }],
    [
      'a transient timer',
      rules(['resource_timer_is_transient_error']),
      { resourceTimerMs: 30, isTimerTransient: true },
    ],
    [
      'a transient timer without A88',
      rules(['resource_timer_is_transient_error'], WITHOUT_A88),
      { resourceTimerMs: 15, isTimerTransient: false },
    ],
    ['no features with A88: keep deleted resources', rules([]), { dropDeleted: false }],
    ['fail_on_data_errors', rules(['fail_on_data_errors']), { failOnDataErrors: true, dropDeleted: true }],
    ['fail_on_data_errors without A88', rules(['fail_on_data_errors'], WITHOUT_A88), { failOnDataErrors: false }],
    ['no features without A88: drop deleted resources', rules([], WITHOUT_A88), { dropDeleted: true }],
    ['ignore_resource_deletion', rules(['ignore_resource_deletion'], WITHOUT_A88), { dropDeleted: false }],
    ['trusted_xds_server', rules(['trusted_xds_server']), { isTrusted: true }],
  ])('apply %s', (_title, actual, expected) => expect(actual).toMatchObject(expected));

  it('are shown by bootstrap resolve for every preset (D6)', () => {
    const server = {
      uri: 's',
      creds: { type: 'insecure' as const },
      callCreds: [],
      features: new Set(['resource_timer_is_transient_error' as const]),
    };
    const timers = PRESET_NAMES.map((preset) => {
      const variables = { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true' };
      return [preset, behaviourOf(server, readSwitches(variables, preset), preset).resourceTimerMs];
    });
    expect(timers).toEqual([
      ['spec', 30_000],
      ['c-core', 15_000],
      ['grpc-go', 15_000],
      ['grpc-java', 30_000],
      ['grpc-node', 15_000],
    ]);
  });
});

describe('presets', () => {
  it('are recognized by name, as a recording contains it', () => {
    expect(PRESET_NAMES).toEqual(Object.keys(PRESETS));
    expect(['spec', 'c-core', 'toString', '', 1, undefined].map(isPreset)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('decide the defaults of A88 and whether fallback can be disabled (D13, D23)', () => {
    const off = { GRPC_EXPERIMENTAL_XDS_FALLBACK: 'false' };
    expect(PRESET_NAMES.map((preset) => readSwitches(off, preset))).toMatchObject([
      { dataErrorHandling: true, fallback: false },
      { dataErrorHandling: false, fallback: true },
      { dataErrorHandling: false, fallback: true },
      { dataErrorHandling: false, fallback: false },
      { dataErrorHandling: false, fallback: false },
    ]);
  });

  it('have other names for the languages that use C-core, and for the packages of grpc-js', () => {
    const names = ['grpc-js', 'grpc-js-xds', 'cpp', 'python', 'ruby', 'grpc-go', 'rust', 'toString'];
    expect(names.map(presetNamed)).toEqual([
      'grpc-node',
      'grpc-node',
      'c-core',
      'c-core',
      'c-core',
      'grpc-go',
      undefined,
      undefined,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type FragmentState, readFragment, writeFragment } from '../../src/view/page/fragment.js';
import { shortLine, shortName } from '../../src/view/page/text.js';

describe('the fragment of a page', () => {
  const state: FragmentState = {
    client: 2,
    target: 'xds://eu/shipping',
    at: 6500,
    window: [6000, 7100],
    tab: 'events',
    side: 'whatif',
    resource: { type: 'CDS', name: 'a name&with=signs #' },
    method: '/orders.v1.Refunds/Create',
    headers: [
      ['x-env', 'canary'],
      [':path', 'a: b'],
    ],
    deadlineMs: 5000,
    whatIf: {
      as: 'c-core',
      features: { fail_on_data_errors: true, trusted_xds_server: false },
      resourceTimerMs: 500,
      tearGraceMs: 0,
    },
    theme: 'dark',
  };

  it('is read as it was written', () => {
    expect(readFragment(`#${writeFragment(state)}`)).toEqual(state);
  });

  it('is readable', () => {
    const { target, at, window, tab } = state as Required<FragmentState>;
    expect(writeFragment({ target, at, window, tab })).toBe('target=xds://eu/shipping&t=6.5&w=6-7.1&tab=events');
  });

  it('omits what is the default', () => {
    expect(writeFragment({ client: 0, tab: 'graph', side: 'rpc', headers: [], whatIf: {} })).toBe('');
  });

  it.each(['#t=x&w=5&tab=no&side=no&resource=CDS&header=a&deadline=-1', '#', '', '#%%%', '#w=7-6'])(
    'ignores what it does not understand: %s',
    (text) => {
      expect(readFragment(text)).toEqual({});
    },
  );

  it('does not contain very long names', () => {
    expect(writeFragment({ target: 'a'.repeat(1e6), tab: 'events' })).toBe('tab=events');
  });
});

describe('short names', () => {
  it('are cut in the middle', () => {
    expect(shortName('orders')).toBe('orders');
    expect(shortName('xdstp://eu/envoy.config.cluster.v3.Cluster/shipping', 21)).toBe('xdstp://eu…r/shipping');
    expect(shortName('a'.repeat(1e6), 20)).toHaveLength(19);
  });

  it('show hidden characters, also where they are cut', () => {
    expect(shortName('a\u202eb')).toBe('a\\u{202e}b');
    expect(shortName('\u202e'.repeat(1000), 20)).toBe('\\u{202e}…\\u{202e}');
    expect(shortName(`${'😀'.repeat(50)}x`, 9)).toBe('😀😀…😀x');
  });

  it('cut sentences at their end', () => {
    expect(shortLine('a b', 3)).toBe('a b');
    expect(shortLine('a b c', 4)).toBe('a b…');
    expect(shortLine('a\nb')).toBe('a\\nb');
  });
});

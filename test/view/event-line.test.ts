import { describe, expect, it } from 'vitest';
import { clockTime } from '../../src/base/clock-time.js';
import { connectionHint } from '../../src/base/connection-hint.js';
import type { Event } from '../../src/core/event.js';
import { eventLine } from '../../src/view/event-line.js';
import { LineRenderer } from '../../src/view/render/line-renderer.js';
import { visible, visibleMessage, visibleName, visibleShort } from '../../src/view/visible-text.js';

const NOTHING_SPECIAL = {
  refused: undefined,
  added: 0,
  changed: 0,
  unrequested: [],
  missing: [],
  heartbeats: [],
  otherTypes: [],
};

describe('text from a control plane', () => {
  const cases: [title: string, text: string, want: string][] = [
    ['escapes a terminal escape', '\u001b[31mred\u001b]0;title\u0007', '\\u{1b}[31mred\\u{1b}]0;title\\u{7}'],
    ['escapes a C1 control character', '\u009b2J', '\\u{9b}2J'],
    ['escapes line breaks and tabs', 'a\nb\tc\r', 'a\\nb\\tc\\u{d}'],
    ['escapes a bidi override', 'user\u202egnp.exe', 'user\\u{202e}gnp.exe'],
    ['escapes characters without width', 'a\u200bb\ufeffc\u00ad', 'a\\u{200b}b\\u{feff}c\\u{ad}'],
    ['escapes half a surrogate pair', '\ud800x', '\\u{d800}x'],
    ['escapes the fourth combining mark on a letter', 'z\u0301\u0302\u0303\u0304', 'z\u0301\u0302\u0303\\u{304}'],
    ['escapes an invisible filler', 'a\u3164b', 'a\\u{3164}b'],
    ['keeps a variation selector after an emoji', '❤\ufe0f', '❤\ufe0f'],
    ['escapes a variation selector after a letter', 'a\ufe0f', 'a\\u{fe0f}'],
    ['escapes the joiner between emoji', '👩\u200d👧', '👩\\u{200d}👧'],
    ['keeps letters of any script', 'é 漢字 \u{1f600} ok', 'é 漢字 \u{1f600} ok'],
  ];
  for (const [title, text, want] of cases) it(title, () => expect(visible(text)).toBe(want));

  it('is cut if it is long, with the number of missing characters', () => {
    expect(visibleShort('x'.repeat(5000))).toBe(`${'x'.repeat(299)}… (4,701 more characters)`);
    expect(visibleShort('😀'.repeat(1_000_000))).toBe(`${'😀'.repeat(149)}… (1,999,702 more characters)`);
    expect(visibleShort('\u001b'.repeat(300))).toBe(`${'\\u{1b}'.repeat(49)}… (251 more characters)`);
    expect(visibleMessage('x'.repeat(1_000_000))).toBe(`${'x'.repeat(3999)}… (996,001 more characters)`);
    expect(visibleMessage('x'.repeat(4000))).toBe('x'.repeat(4000));
    expect(visible('x'.repeat(20_000_000))).toBe(`${'x'.repeat(9999)}… (19,990,001 more characters)`);
    expect(visible('x'.repeat(10_000))).toBe('x'.repeat(10_000));
  });

  it('keeps the end of a long name', () => {
    expect(visibleName('short')).toBe('short');
    expect(visibleName(`${'x'.repeat(1_000_000)}/end`)).toBe(
      `${'x'.repeat(149)}… (999,706 more characters) …${'x'.repeat(145)}/end`,
    );
    expect(visibleName(`${'\u001b'.repeat(200)}/end`)).toMatch(/^(\\u\{1b\})+.*….*\/end$/);
    expect(visibleName('😀'.repeat(1000))).toBe(`${'😀'.repeat(74)}… (1,704 more characters) …${'😀'.repeat(74)}`);
  });
});

describe('the hint on a failed connection', () => {
  const cases: [string, string | undefined][] = [
    ['connect ECONNREFUSED 127.0.0.1:1', 'nothing listens there: check the address, and that the server is running'],
    ['Name resolution failed for target dns:x', 'the host name cannot be resolved'],
    [
      'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number',
      'the server does not speak TLS on this port: use insecure credentials or --plaintext',
    ],
    ['tlsv1 alert unknown ca', 'the server rejects the client certificate'],
    ['Protocol error', 'the server does not speak HTTP/2: check that this is the gRPC port'],
    ['something new', undefined],
  ];
  for (const [reason, want] of cases) it(`for ${reason}`, () => expect(connectionHint(reason)).toBe(want));
});

describe('an event line', () => {
  const base = { at: 43_201_204, scope: 'greeter', server: 's:1' };
  const cases: [Event, string][] = [
    [
      {
        ...base,
        kind: 'request',
        stream: 1,
        typeUrl: 'x/y.Z',
        names: ['a\u001b'],
        version: '',
        nonce: '',
        error: undefined,
      },
      '→ x/y.Z [a\\u{1b}]',
    ],
    [
      {
        ...base,
        kind: 'request',
        stream: 1,
        typeUrl: 'T',
        names: [],
        version: '6',
        nonce: 'n',
        error: { code: 3, message: 'bad\n' },
      },
      '→ T [] NACK version 6 nonce n: bad\\n',
    ],
    [
      {
        ...base,
        kind: 'response',
        stream: 1,
        typeUrl: 'T',
        version: '1',
        nonce: 'n',
        names: ['', 'b'],
        errors: [{ name: 'c', status: undefined }],
        ignored: undefined,
        bytes: 1,
        stops: false,
        ...NOTHING_SPECIAL,
      },
      '← T version 1 nonce n: (no name), b, c! (no status)',
    ],
    [
      {
        ...base,
        kind: 'response',
        stream: 1,
        typeUrl: 'T',
        version: '1',
        nonce: 'n',
        names: [],
        errors: [],
        ignored: undefined,
        bytes: 1,
        stops: false,
        ...NOTHING_SPECIAL,
      },
      '← T version 1 nonce n: no resources',
    ],
    [
      { ...base, kind: 'channel', state: 'transient-failure', reason: 'refused' },
      'server s:1: connection failed: refused',
    ],
    [{ ...base, kind: 'channel', state: 'ready', reason: '' }, 'server s:1: ready'],
  ];
  for (const [event, want] of cases) it(`is ${want}`, () => expect(eventLine(event).text).toBe(want));

  it('lists at most twenty names', () => {
    const names = Array.from({ length: 23 }, (_, i) => `n${i}`);
    const { text } = eventLine({
      ...base,
      kind: 'request',
      stream: 1,
      typeUrl: 'T',
      names,
      version: '',
      nonce: '',
      error: undefined,
    });
    expect(text).toBe(`→ T [${names.slice(0, 20).join(', ')}, … 3 more]`);
  });

  it('is aligned with the lines before it, and has colours only if they are enabled', () => {
    const plain = new LineRenderer(false);
    expect(plain.render({ at: base.at, who: 'a', text: 'x', tone: 'bad' })).toBe('12:00:01.204 a  x\n');
    expect(plain.render({ at: base.at, who: 'longer', text: 'x', tone: 'bad' })).toBe('12:00:01.204 longer  x\n');
    expect(plain.render({ at: base.at, who: 'a', text: 'x', tone: 'bad' })).toBe('12:00:01.204 a       x\n');
    expect(new LineRenderer(true).render({ at: base.at, who: 'a', text: 'x', tone: 'bad' })).toContain(
      '\u001b[31mx\u001b[39m',
    );
  });

  it('has the time of day in UTC', () => {
    expect([clockTime(0), clockTime(86_399_999), clockTime(Date.UTC(2026, 10, 16, 21, 9, 5, 70))]).toEqual([
      '00:00:00.000',
      '23:59:59.999',
      '21:09:05.070',
    ]);
  });
});

describe('the event line of a response that C-core does not accept', () => {
  const response = {
    kind: 'response' as const,
    at: 0,
    scope: 's',
    server: 'x',
    stream: 1,
    typeUrl: 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
    version: '1',
    nonce: 'n',
    names: ['a'],
    errors: [],
    ignored: undefined,
    bytes: 10,
    stops: false,
    ...NOTHING_SPECIAL,
  };

  it('states that it is too large, or of a type without a subscription (D1, D18)', () => {
    expect(eventLine(response).text).toBe('← CDS version 1 nonce n: a');
    expect(eventLine({ ...response, bytes: 5_000_000 }).text).toContain(
      'over 4 MiB: C-core, grpc-go and grpc-js reject it',
    );
    const unrequested = { ...response, ignored: 'of a type that was never requested' };
    expect(eventLine(unrequested).text).toContain('C-core would stop reading this stream');
    expect(eventLine({ ...unrequested, stops: true }).text).toContain('C-core stops reading this stream');
  });
});

import { expect } from 'vitest';

/** Texts that are harmful or misleading if they are printed unescaped. */
export const HOSTILE: Record<string, string> = {
  escape: '\u001b[2J\u001b[1;31mred\u001b[0m',
  title: '\u001b]0;owned\u0007',
  link: '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
  c1: '\u009b31mx\u0085y\u0090z\u009c',
  return: 'good\rbad',
  'new row': 'x\nCDS   forged  ACKED  9  1 ms  1',
  bell: 'a\u0007\b\b\u007fb\u000b\u000c\u0000',
  direction: 'user\u202egnp.exe\u2066\u2069\u200f',
  invisible: 'a\u200b\u200d\ufeff\u00ad\u2060\u3164b',
  separators: 'a\u2028b\u2029c',
  tags: 'x\u{e0041}\u{e0042}',
  marks: `z${'\u0301'.repeat(50)}`,
  command: '::error file=a.ts,line=1::owned',
  'new command': 'x\n::error::owned\r\n::set-output name=a::b',
  percent: '100%0A::warning::x%0D%25',
  columns: 'x  ACKED  7  1 ms  1',
  html: '<b onload="x">&amp;</b>',
  dot: 'a"]; x -> y [label="\\"',
  mermaid: 'a"]:::bad; `b` %%{init: {}}%% --> |c| #quot;',
  yaml: '- a: b # c\n---\n? x',
  quotes: `'"\\"'\\`,
  wide: '漢字❤️👍🏽',
};
export const TEXTS = Object.values(HOSTILE);

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';

/** Every text as the name of a cluster, a locality and a header. The client or the server rejects some of them. */
export function hostileScenario(longest = 1_000_000, texts = TEXTS): string {
  const long = `long ${'x'.repeat(longest)}\u001b`;
  const clusters = texts.map((name, i) => ({
    '@type': 'CDS',
    name,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} }, service_name: `${name}!` },
    ...(i % 5 === 1 ? { lb_policy: 'MAGLEV' } : {}),
  }));
  const sent = clusters.map((_, i) => `c${i}`).filter((_, i) => i % 5 !== 2);
  const errors = texts.flatMap((name, i) =>
    i % 5 === 2 ? [{ name, code: 'PERMISSION_DENIED', message: i === 2 ? long : name }] : [],
  );
  const resources = {
    l: {
      '@type': 'LDS',
      name: 'greeter',
      api_listener: {
        api_listener: {
          '@type': HCM,
          http_filters: [{ name: HOSTILE.escape, typed_config: { '@type': ROUTER } }],
          route_config: {
            virtual_hosts: [
              {
                name: HOSTILE['new row'],
                domains: ['*', ...texts],
                routes: [
                  ...texts.map((text) => ({
                    match: { prefix: '/never', headers: [{ name: 'x', string_match: { exact: text } }] },
                    route: { cluster: text },
                  })),
                  { match: { prefix: '' }, route: { cluster: HOSTILE.link } },
                ],
              },
            ],
          },
        },
      },
    },
    ...Object.fromEntries(clusters.map((cluster, i) => [`c${i}`, cluster])),
    ...Object.fromEntries(
      texts.map((text, i) => [
        `e${i}`,
        {
          '@type': 'EDS',
          cluster_name: `${text}!`,
          endpoints: [
            {
              locality: { region: text, zone: text, sub_zone: text },
              load_balancing_weight: 1,
              lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }],
            },
          ],
          policy: { drop_overloads: [{ category: text, drop_percentage: { numerator: 1 } }] },
        },
      ]),
    ),
  };
  const first = { type: 'CDS', version: texts.join(''), nonce: texts.join(''), resources: sent, errors };
  return JSON.stringify({
    node: HOSTILE.escape,
    resources,
    servers: {
      p: {
        serves: [
          { type: 'LDS', version: HOSTILE['new row'], resources: ['l'] },
          { type: 'EDS', version: HOSTILE.direction, resources: texts.map((_, i) => `e${i}`) },
        ],
        on: [
          {
            request: 'CDS',
            do: [{ send: first }],
          },
        ],
      },
    },
  });
}

/** What may be in an output: lines of what can be seen, and colours where they are asked for. */
export function expectVisible(text: string, what: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are this project's own
  const plain = text.replace(/\x1b\[\d{1,2}m/g, '');
  const found = plain.match(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u3164]|\p{M}{5}/u);
  expect(
    found?.[0].codePointAt(0)?.toString(16),
    `${what}: …${plain.slice(Math.max(0, (found?.index ?? 0) - 40), found?.index)}`,
  ).toBe(undefined);
  const own = what.includes('-o github')
    ? /^::(error|warning|notice) (file=[^:]*,line=\d+,col=\d+,)?title=[^:]*::/
    : /^(?!\s*::)/;
  for (const line of plain.split('\n')) {
    if (line !== '' && !own.test(line)) expect.fail(`${what}: a command of GitHub: ${line.slice(0, 200)}`);
  }
}

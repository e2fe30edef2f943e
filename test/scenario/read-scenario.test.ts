import { describe, expect, it } from 'vitest';
import { formatPath } from '../../src/base/problem.js';
import { readScenario } from '../../src/scenario/read-scenario.js';

/** All problems of a scenario as `line:column path: message`. */
function problems(text: string, files: Record<string, string> = {}): string[] {
  const result = readScenario(text, (path) =>
    path in files ? { text: files[path] as string } : { failure: 'cannot be read: no such file' },
  );
  if (result.ok) return [];
  return result.problems.map((p) => `${p.line}:${p.column} ${formatPath(p.path)}: ${p.message}`);
}

describe('readScenario', () => {
  it('accepts the smallest scenario', () => {
    const result = readScenario('{}', () => ({ failure: '' }));
    expect(result).toMatchObject({
      ok: true,
      scenario: { nodeId: 'xds-inspect', steps: [], servers: [{ name: 'primary', state: 'listening' }] },
    });
  });

  it('reads every kind of step', () => {
    const text = `
resources: { a: { "@type": CDS, name: a } }
servers: { p: { state: silent }, q: }
steps:
  - { server: q, send: { type: CDS, version: "1", nonce: n, resources: [a, { wrap: a, name: x, version: "2", ttl: 1.5s }, {}] } }
  - { sendBytes: AAA= }
  - { close: { code: ABORTED, message: m } }
  - { wait: 100ms }
  - { set: { type: CDS, resources: [a], errors: [{ name: b, code: NOT_FOUND, message: gone }, {}] } }
  - { state: resetting }
  - { reject: INTERNAL }
  - { accept: true }
  - { reads: hold }
  - { say: hello }
  - { stream: 2, expect: { request: CDS, names: [a], version: "1", nonce: n, is: nack, error: bad, within: 2s, absent: true } }
  - { expect: { stream: ended } }
`;
    const result = readScenario(text, () => ({ failure: '' }));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(result.scenario.servers.map((s) => [s.name, s.state])).toEqual([
      ['p', 'silent'],
      ['q', 'listening'],
    ]);
    expect(result.scenario.steps.map((s) => [s.server, s.stream, s.line, s.what.kind])).toEqual([
      ['q', undefined, 5, 'send'],
      ['p', undefined, 6, 'send-bytes'],
      ['p', undefined, 7, 'close'],
      ['p', undefined, 8, 'wait'],
      ['p', undefined, 9, 'set'],
      ['p', undefined, 10, 'state'],
      ['p', undefined, 11, 'reject'],
      ['p', undefined, 12, 'reject'],
      ['p', undefined, 13, 'hold-reads'],
      ['p', undefined, 14, 'say'],
      ['p', 2, 15, 'expect'],
      ['p', undefined, 16, 'expect'],
    ]);
    expect(result.scenario.steps[0]?.what).toMatchObject({
      response: {
        nonce: 'n',
        resources: [
          { resource: { name: 'a' }, wrapper: undefined },
          { resource: { name: 'a' }, wrapper: { name: 'x', version: '2', ttl: 1500 } },
          { resource: undefined, wrapper: { name: '' } },
        ],
      },
    });
    expect(result.scenario.steps[4]?.what).toMatchObject({
      servedType: {
        errors: [
          { name: 'b', status: { code: 5, message: 'gone' } },
          { name: undefined, status: undefined },
        ],
      },
    });
    expect(result.scenario.steps[10]?.what).toMatchObject({
      expectation: { kind: 'request', absent: true, within: 2000, pattern: { names: ['a'], is: 'nack', error: 'bad' } },
    });
  });

  const bad: { title: string; text: string; want: string[]; files?: Record<string, string> }[] = [
    {
      title: 'a document that is not a mapping',
      text: '- a',
      want: ['1:1 : expected a mapping with title, node, resources, servers, authorities, steps, got a list'],
    },
    {
      title: 'misspelt words, with suggestions',
      text: 'tittle: x\nservers:\n  p:\n    state: listning\n',
      want: [
        '1:1 tittle: unknown key (did you mean "title"?)',
        '4:5 servers.p.state: expected listening, refusing, silent, resetting, got "listning" (did you mean "listening"?)',
      ],
    },
    {
      title: 'all problems of several steps together',
      text: 'steps:\n  - wait: soon\n  - reads: NOPE\n  - { wait: 1s, say: x }\n  - expect: { request: 5 }\n  - { server: q, send: { type: CDS, resources: [x] } }\nresources: { a: 1 }\n',
      want: [
        '2:5 steps[0].wait: expected a duration such as 250ms or 1.5s, got "soon"',
        '3:5 steps[1].reads: expected hold, release, got "NOPE"',
        '4:5 steps[2]: expected exactly one of send, sendBytes, close, wait, set, state, reject, accept, reads, say, got wait and say',
        '5:15 steps[3].expect.request: expected text, got 5',
        '6:7 steps[4].server: no server "q": the scenario has primary',
        '6:49 steps[4].send.resources[0]: no resource "x"',
        '7:14 resources.a: expected a resource with "@type", or "file", or "type" and "base64"; got 1',
      ],
    },
    {
      title: 'steps that are well formed but invalid',
      text: 'steps:\n  - { wait: 1s, say: x }\n  - {}\n  - expect: { within: 1s }\n  - { server: q, wait: 1s }\n  - { wait: 1s, expect: { stream: opened, names: [a] } }\n',
      want: [
        '2:5 steps[0]: expected exactly one of send, sendBytes, close, wait, set, state, reject, accept, reads, say, got wait and say',
        '3:5 steps[1]: expected exactly one of send, sendBytes, close, wait, set, state, reject, accept, reads, say',
        '4:5 steps[2].expect: expected either "request" with a type, or "stream"',
        '5:7 steps[3].server: no server "q": the scenario has primary',
        '6:5 steps[4]: a step with "expect" cannot have an action',
        '6:43 steps[4].expect.names: requires "request", not "stream"',
      ],
    },
    {
      title: 'problems in resources',
      text: 'resources:\n  a: 5\n  b: { "@type": CDS, nmae: x, type: EDDS }\n  c: { base64: "***" }\n  d: { "@type": x.Y }\n  e: { file: missing.yaml }\nservers: { p: { serves: [{ type: CDS, resources: [b, aa] }] } }\n',
      want: [
        '2:3 resources.a: expected a resource with "@type", or "file", or "type" and "base64"; got 5',
        '3:22 resources.b.nmae: unknown field in envoy.config.cluster.v3.Cluster (did you mean "name"?)',
        '3:31 resources.b.type: "EDDS" is not a value of envoy.config.cluster.v3.Cluster.DiscoveryType (did you mean "EDS"?)',
        '4:3 resources.c: "type" is missing',
        '4:8 resources.c.base64: expected base64, got "***"',
        '5:8 resources.d.@type: unknown type "x.Y"; give its bytes as base64 in "@value"',
        '6:8 resources.e.file: cannot be read: no such file',
        '7:51 servers.p.serves[0].resources[0]: no resource "b"',
        '7:54 servers.p.serves[0].resources[1]: no resource "aa"',
      ],
    },
    {
      title: 'problems in a resource file, with the position in that file',
      text: 'resources:\n  a: { file: a.yaml }\n  b: { file: b.yaml }\n',
      files: { 'a.yaml': '"@type": CDS\nname: [x]\n', 'b.yaml': 'a: [' },
      want: [
        '2:8 resources.a.file: a.yaml:2:1: name: expected a string, got a list',
        '3:8 resources.b.file: b.yaml:1:5: Flow sequence in block collection must be sufficiently indented and end with a ]',
      ],
    },
    {
      title: 'an authority whose server is missing',
      text: 'authorities: { x: [q] }',
      want: ['1:20 authorities.x[0]: no server "q": the scenario has primary'],
    },
    { title: 'broken YAML', text: 'a: b: c', want: ['1:4 : Nested mappings are not allowed in compact mappings'] },
    {
      title: 'too many aliases',
      text: `a: &a [x]\nb: &b [${'*a,'.repeat(100)}]\nc: [${'*b,'.repeat(1000)}]`,
      want: ['3:1493 : aliases repeat more than 100000 values'],
    },
  ];
  for (const { title, text, want, files } of bad)
    it(`reports ${title}`, () => expect(problems(text, files)).toEqual(want));

  it('reports excessive nesting', () => {
    expect(problems('['.repeat(100_000))).toEqual([expect.stringMatching(/^1:\d+ : nested too deeply$/)]);
  });
});

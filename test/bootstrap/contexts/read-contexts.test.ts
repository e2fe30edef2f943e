import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatPath } from '../../../src/base/problem.js';
import { readContexts } from '../../../src/bootstrap/contexts/read-contexts.js';
import { ROOT } from '../../support/root.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/contexts.schema.json'), 'utf8'));
const validate = new Ajv({ allowUnionTypes: true }).compile(schema);

/** Problems as `line:column path: message`. */
function problemsOf(text: string): string[] {
  const result = readContexts(text);
  if (result.ok) return [];
  return result.problems.map(({ line, column, path, message }) => `${line}:${column} ${formatPath(path)}: ${message}`);
}

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n';
const QUOTED_PEM = JSON.stringify(PEM);

/** Files that the reader and the schema accept. */
const GOOD: [what: string, text: string][] = [
  ['nothing', ''],
  ['only comments', '# contexts:\n'],
  ['no contexts', 'contexts: {}'],
  ['all contexts commented out', 'contexts:\n  # prod:\n'],
  ['a bootstrap', 'contexts: { prod: { bootstrap: prod/bootstrap.json } }'],
  [
    'JSON',
    '{"version": 1, "contexts": {"prod": {"bootstrap": "b.json", "targets": ["xds:///a", "b", "#server:0.0.0.0:1"]}}}',
  ],
  ['a server without TLS', 'contexts: { local: { server: "localhost:18000", plaintext: true } }'],
  [
    'a server with TLS',
    'contexts: { a: { server: dns:///xds.example, cacert: ~/ca.pem, cert: /c.pem, key: ../k.pem } }',
  ],
  [
    'a server behind a port-forward',
    'contexts: { a: { server: h:1, insecure: true, authority: istiod.istio-system.svc, token_file: t, xds_headers: { x-team: a } } }',
  ],
  [
    'a server in Kubernetes',
    'contexts: { a: { kube: istio-system/svc/istiod:grpc-xds, kube_context: prod, kubeconfig: ~/k, cacert: ca.pem } }',
  ],
  [
    'processes in Kubernetes',
    'contexts: { a: { csds: { addresses: ["kube:pod/a:1", "istio:kube:x/deploy/istiod:15012"], kube_context: c, xds_headers: { a: b } } } }',
  ],
  [
    'a node with a locality and maps',
    'contexts: { a: { bootstrap: b, node_cluster: c, node_locality: eu/eu-1, node_metadata: { LABELS: { app: x, n: [1, true] } } } }',
  ],
  [
    'all settings of a client',
    'contexts: { a: { bootstrap: b, node_id: n, node_metadata: { a: b }, user_agent: u, default_authority: x, as: cpp } }',
  ],
  [
    'only CSDS',
    'contexts: { a: { csds: { addresses: [h:1, "unix:/s", "istio:h:15012"], insecure: true, cert: c, key: k, authority: x, token_file: t } } }',
  ],
  [
    'CSDS without TLS',
    'contexts: { a: { bootstrap: b, csds: { addresses: [h:1], plaintext: true, insecure: false } } }',
  ],
  ['names of clusters', 'contexts: { gke_p_eu-1_c: &a { bootstrap: b }, me@corp/eu.1: *a, "7": *a }'],
];

/** Files that the reader and the schema reject. */
const BAD: [what: string, text: string, problems: string[]][] = [
  ['a list', '- a', ['1:1 : expected a mapping with version, contexts, got a list']],
  [
    'another version',
    'version: 2\ncontexts: {}',
    ['1:1 version: expected 1, the only supported format version, got 2'],
  ],
  ['no key', 'version: 1', ['1:1 : "contexts" is missing']],
  [
    'a current context',
    'current-context: prod\ncontexts: {}',
    [
      '1:1 current-context: unknown key: no context is used unless it is named: use --context NAME, or set XDS_INSPECT_CONTEXT',
    ],
  ],
  ['a mistyped key', 'context: {}\ncontexts: {}', ['1:1 context: unknown key (did you mean "contexts"?)']],
  ['a list of contexts', 'contexts: [a]', ['1:1 contexts: expected a mapping, got a list']],
  ['an empty context', 'contexts:\n  a:', ['2:3 contexts.a: expected a mapping with bootstrap, server, kube']],
  [
    'a context without control plane',
    'contexts:\n  a: { targets: [b] }',
    ['2:3 contexts.a: "bootstrap", "server" or "kube" is missing: a context names a control plane'],
  ],
  [
    'the spelling of flags',
    'contexts: { a: { bootstrap: b, node-id: n, targts: [x], descr: y } }',
    [
      '1:32 contexts.a.node-id: unknown key (did you mean "node_id"?)',
      '1:44 contexts.a.targts: unknown key (did you mean "targets"?)',
      '1:57 contexts.a.descr: unknown key: expected bootstrap, server, kube',
    ],
  ],
  [
    'two control planes',
    'contexts: { a: { bootstrap: b, server: h:1 } }',
    ['1:32 contexts.a.server: "server" and "bootstrap" exclude each other'],
  ],
  [
    'TLS settings without server',
    'contexts: { a: { bootstrap: b, plaintext: false, cacert: c } }',
    ['1:32 contexts.a.plaintext: requires "server" or "kube"', '1:50 contexts.a.cacert: requires "server" or "kube"'],
  ],
  [
    'plaintext with certificates',
    'contexts: { a: { server: h:1, plaintext: true, cacert: c } }',
    ['contexts.a.plaintext: excludes "insecure", "cacert", "cert", "key" and "token_file"'],
  ],
  [
    'two servers',
    'contexts: { a: { server: h:1, kube: svc/a:1 } }',
    ['contexts.a.kube: "kube" and "server" exclude each other'],
  ],
  [
    'a bootstrap and settings of a server',
    'contexts: { a: { bootstrap: b, authority: x, insecure: true, token_file: t, xds_headers: {}, kube_context: k } }',
    [
      ...['authority', 'insecure', 'token_file', 'xds_headers'].map((key) => `a.${key}: requires "server" or "kube"`),
      'a.kube_context: requires "kube"',
    ],
  ],
  [
    'plaintext with a token',
    'contexts: { a: { server: h:1, plaintext: true, token_file: t } }',
    ['a.plaintext: excludes "insecure", "cacert", "cert", "key" and "token_file"'],
  ],
  [
    'names that kubectl would read as flags',
    'contexts: { a: { kube: svc/-x:1, kube_context: -x, kubeconfig: -y } }',
    ['a.kube: takes [NAMESPACE/]', 'a.kube_context: expected a name that does not', 'a.kubeconfig: expected a name'],
  ],
  [
    'an invalid locality',
    'contexts: { a: { bootstrap: b, node_locality: a/b/c/d } }',
    ['a.node_locality: expected region, region/zone or region/zone/sub_zone'],
  ],
  [
    'a key without certificate',
    'contexts: { a: { server: h:1, key: k } }',
    ['a.key: "cert" and "key" require each other'],
  ],
  [
    'wrong types',
    'contexts: { a: { bootstrap: 1, node_id: 7, node_metadata: 5, targets: x, plaintext: "yes", server: 9 } }',
    [
      'a.bootstrap: expected the path of a file, got 1',
      'a.node_id: expected text, got 7',
      'a.node_metadata: expected a mapping, got 5',
      'a.targets: expected a list, got "x"',
      'a.plaintext: expected true or false, got "yes"',
      'a.server: expected host:port, got 9',
    ],
  ],
  [
    'an address without port',
    'contexts: { a: { server: xds.example } }',
    ['a.server: expected host:port, got "xds.example"'],
  ],
  ['an empty path', 'contexts: { a: { bootstrap: "" } }', ['a.bootstrap: empty path']],
  [
    'an empty target',
    'contexts: { a: { bootstrap: b, targets: [""] } }',
    ['a.targets[0]: expected a target such as xds:///greeter'],
  ],
  [
    'an unknown implementation',
    'contexts: { a: { bootstrap: b, as: grpc-jva } }',
    ['a.as: expected spec, c-core, grpc-go, grpc-java, grpc-node (did you mean "grpc-java"?)'],
  ],
  [
    'invalid names',
    'contexts: { "": &a { bootstrap: b }, "a b": *a, -x: *a, "\\e[2J": *a, ü: *a }',
    Array.from({ length: 5 }, () => 'a name consists of up to 100 letters, digits and . _ - @ /'),
  ],
  ['a long name', `contexts: { ${'x'.repeat(101)}: { bootstrap: b } }`, ['a name consists of up to 100 letters']],
  ['CSDS without addresses', 'contexts: { a: { csds: { plaintext: true } } }', ['a.csds: "addresses" is missing']],
  [
    'CSDS settings that exclude each other',
    'contexts: { a: { csds: { addresses: [h:1, "istio:h"], plaintext: true, insecure: true, key: k } } }',
    [
      'a.csds.addresses[1]: expected host:port, got "h"',
      'a.csds.plaintext: excludes "insecure", "cacert", "cert", "key" and "token_file"',
      'a.csds.key: "cert" and "key" require each other',
    ],
  ],
  [
    'several invalid contexts',
    'contexts:\n  a: { bootstrap: "" }\n  b: { server: x }\n  c: { bootstrp: x }\n',
    [
      '2:8 contexts.a.bootstrap: empty path',
      '3:8 contexts.b.server: expected host:port',
      '4:3 contexts.c: "bootstrap", "server" or "kube" is missing',
      '4:8 contexts.c.bootstrp: unknown key (did you mean "bootstrap"?)',
    ],
  ],
];

/** Files that only the reader rejects: what a JSON Schema cannot express, and YAML. */
const READER_ONLY: [what: string, text: string, problems: string[]][] = [
  ['invalid YAML', 'contexts: { a', ['1:14 : ']],
  ['a duplicate context', 'contexts:\n  a: { bootstrap: b }\n  a: { bootstrap: c }', ['3:3 : ']],
  ['two documents', 'contexts: {}\n---\ncontexts: {}', ['a second document begins here']],
  [
    'addresses that cannot be used',
    'contexts: { a: { server: "unix-abstract:x", csds: { addresses: ["kube:job/x:1", "unix://h/x"] } } }',
    [
      'a.server: abstract sockets',
      'addresses[0]: takes [NAMESPACE/]',
      'addresses[1]: the path of a Unix socket has no host',
    ],
  ],
  [
    'headers that gRPC does not send',
    'contexts: { a: { server: h:1, authority: "a b", xds_headers: { te: x, grpc-a: x, "a b": x, a-bin: "!" } } }',
    [
      'a.authority: takes a server name',
      'cannot set "te"',
      'are reserved',
      'cannot set "a b"',
      'takes base64 for "a-bin"',
    ],
  ],
  [
    'targets of other resolvers',
    'contexts: { a: { bootstrap: b, targets: [dns:///x, "unix:/y"] } }',
    ['a.targets[0]: not an xDS target: use xds:///x', 'a.targets[1]: not an xDS target: use the target'],
  ],
  [
    'aliases that grow to billions of values',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghijk'].map((c) => `${c}: &${c} [${Array(9).fill(`*${String.fromCharCode(c.charCodeAt(0) - 1)}`)}]`).join('\n')}`,
    [': '],
  ],
  ['mappings in mappings', `contexts: ${'{a: '.repeat(5000)}`, ['nested too deeply']],
];

/** Secrets by value, and the paths of the problems. */
const SECRETS: [what: string, text: string, paths: string[]][] = [
  ['a key', `contexts: { a: { server: h:1, cert: c.pem, key: ${QUOTED_PEM} } }`, ['contexts.a.key']],
  ['a certificate', `contexts: { a: { server: h:1, cacert: ${QUOTED_PEM} } }`, ['contexts.a.cacert']],
  [
    'a key for CSDS',
    `contexts: { a: { csds: { addresses: [], cert: c, key: ${QUOTED_PEM} } } }`,
    ['contexts.a.csds.key'],
  ],
  [
    'a key on one line',
    'contexts: { a: { server: h:1, cert: c, key: "-----BEGIN PRIVATE KEY-----MIIE" } }',
    ['contexts.a.key'],
  ],
  ['a bootstrap as text', `contexts: { a: { bootstrap: '{"key": "hunter2"}' } }`, ['contexts.a.bootstrap']],
  ['a bootstrap as mapping', 'contexts: { a: { bootstrap: { key: hunter2 } } }', ['contexts.a.bootstrap']],
  ['a password in an address', 'contexts: { a: { server: "me:hunter2@h:1" } }', ['contexts.a.server']],
  [
    'keys of other tools',
    'contexts: { a: { bootstrap: b, token: hunter2, client-key-data: hunter2, password: hunter2, cacert_data: hunter2 } }',
    ['contexts.a.token', 'contexts.a.client-key-data', 'contexts.a.password', 'contexts.a.cacert_data'],
  ],
];

describe('a file of contexts', () => {
  it.each(GOOD)('with %s is accepted by the reader and the schema', (_what, text) => {
    expect(problemsOf(text)).toEqual([]);
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(BAD)('with %s is rejected by the reader and the schema', (_what, text, wanted) => {
    expect(problemsOf(text)).toEqual(wanted.map((one) => expect.stringContaining(one)));
    expect(validate(parse(text))).toBe(false);
  });

  it.each(READER_ONLY)('with %s is rejected by the reader', (_what, text, wanted) => {
    const problems = problemsOf(text);
    expect(problems.slice(0, wanted.length)).toEqual(wanted.map((one) => expect.stringContaining(one)));
  });

  it.each(SECRETS)('with %s by value is rejected, and no message contains it', (_what, text, paths) => {
    const problems = problemsOf(text);
    expect(problems.map((problem) => problem.split(' ')[1]?.slice(0, -1))).toEqual(paths);
    for (const problem of problems) {
      expect(problem).toMatch(/(secrets|contents) are not allowed/);
      expect(problem).not.toMatch(/hunter2|MIIE|BEGIN/);
    }
    expect(validate(parse(text))).toBe(false);
  });

  it('with secret node metadata is rejected', () => {
    expect(problemsOf('contexts: { a: { bootstrap: b, node_metadata: { api-token: hunter2, a: b } } }')).toEqual([
      '1:49 contexts.a.node_metadata.api-token: secrets are not allowed in this file, only paths of files that contain them: put it in node.metadata of a bootstrap file, and use "bootstrap"',
    ]);
  });

  it('with a secret in nested node metadata or in a header is rejected, and never quoted', () => {
    const metadata = 'node_metadata: { a: [{ api-token: hunter2 }] }';
    const headers = 'xds_headers: { authorization: hunter2, x-api-key: hunter2 }';
    const problems = problemsOf(`contexts: { a: { server: h:1, ${metadata}, ${headers} } }`);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('a.node_metadata.a[0].api-token: secrets are not allowed');
    expect(problems[1]).toContain(
      'a.xds_headers.authorization: secrets are not allowed in this file: use "token_file"',
    );
    expect(problems.join()).not.toContain('hunter2');
  });

  it('keeps the order of the contexts', () => {
    const read = readContexts('contexts: { b: { bootstrap: x }, c: { bootstrap: y }, a: { bootstrap: z } }');
    expect(read.ok && [...read.contexts.keys()]).toEqual(['b', 'c', 'a']);
  });
});

/** Files that the reader and the schema accept. */
export const GOOD: [what: string, text: string][] = [
  ['only a target', 'targets: [xds:///greeter]'],
  ['JSON', '{"version": 1, "targets": [{"target": "greeter", "ready": false}]}'],
  ['verdicts', 'targets: [{ target: a, verdict: partly }, { target: b, verdict: any }]'],
  [
    'all keys at the top level',
    `
version: 1
bootstrap: b.json
node_id: n
timeout: 30s
observe: 1.5s
settled_within: 5s
max_tear: 0s
never: [NACKED, DOES_NOT_EXIST, RECEIVED_ERROR, TIMEOUT]
findings: { forbid: [warning, XI205], allow: [XI208] }
targets: [a, { target: b, observe: 1m }]
`,
  ],
  [
    'servers instead of bootstraps',
    `
server: localhost:18000
plaintext: true
targets:
  - { target: a, server: 'dns:///xds.example:443', cacert: ca.pem, cert: c.pem, key: k.pem, default_authority: x }
  - { target: b, bootstrap: other.json }
`,
  ],
  [
    'resources',
    `
targets:
  - target: a
    resources:
      LDS/a: ACKED
      LDS/xdstp://authority/envoy.config.listener.v3.Listener/a?b=c: REQUESTED
      "CDS/a name: with #everything": DOES_NOT_EXIST
      RDS/r:
        status: ACKED
        version: "7"
        fields:
          virtual_hosts[0].routes[0].route.cluster: blue
          virtualHosts[name=x].domains: { contains: "*" }
          virtual_hosts[name="a]b"].routes: { count: '>=3' }
          virtual_hosts[0].routes[0].metadata.filter_metadata["envoy.lb"].version: { exists: false }
          virtual_hosts[0].routes[0].route.timeout: 1.5s
          virtual_hosts[0].domains: [a, b]
          virtual_hosts[0]: { equals: { name: x } }
          validate_clusters: false
      CDS/c:
        version: { matches: '^7' }
        fields: { 'typed_extension_protocol_options.x.anything[2].inside': 1 }
      CDS/e: { error: PERMISSION_DENIED }
      CDS/n: { status: NACKED, error: { message: { contains: lb_policy } } }
      EDS/e: { endpoints: { healthy: '>= 3', draining: 0, unhealthy: '<2', total: '!=0' } }
`,
  ],
  [
    'RPCs',
    `
targets:
  - target: a
    rpcs:
      - /a.B/C
      - {}
      - method: /a.B/D
        headers: { env: canary, x: [a, b], k-bin: AAAA }
        deadline: 5s
        timeout_rules: a31
        expect: { status: UNAVAILABLE, message: { matches: x }, cluster: c, timeout: none }
      - expect: { clusters: { a: 90, b: 10 }, timeout: 5s }
`,
  ],
  [
    'drills',
    'targets: [{ target: a, fallback_drill: true }, { target: b, fallback_drill: { drop: "x:1", ready_within: 1s, back_within: 2s } }]',
  ],
  [
    'a server',
    'targets: [{ target: "#server:0.0.0.0:8080", resources: { LDS/x: ACKED }, rpcs: [/a/b, { expect: { status: PERMISSION_DENIED } }] }]',
  ],
];

/** Files that both reject, with the problems that the reader reports. */
export const BAD: [what: string, text: string, problems: string[]][] = [
  ['nothing', '', ['1:1 expected a mapping with ']],
  ['no targets', 'version: 1', ['1:1 "targets" is missing']],
  ['an empty list of targets', 'targets: []', ['1:1 targets: a file needs at least one target']],
  [
    'another version',
    'version: 2\ntargets: [a]',
    ['1:1 version: expected 1, the only supported format version, got 2'],
  ],
  [
    'misspelled keys',
    'target: [a]\ntargets:\n  - target: a\n    setled_within: 5s\n    resources: { CDS/a: { stauts: ACKED } }\n    rpcs: [{ methd: /a/b, expect: { clutser: x } }]',
    [
      '1:1 target: unknown key (did you mean "targets"?)',
      '4:5 targets[0].setled_within: unknown key (did you mean "settled_within"?)',
      '5:27 targets[0].resources["CDS/a"].stauts: unknown key (did you mean "status"?)',
      '6:14 targets[0].rpcs[0].methd: unknown key (did you mean "method"?)',
      '6:37 targets[0].rpcs[0].expect.clutser: unknown key (did you mean "cluster"?)',
    ],
  ],
  ['a target without a name', 'targets: [{ ready: true }]', ['1:11 targets[0]: "target" is missing']],
  [
    'an unknown verdict',
    'targets: [{ target: a, verdict: redy }]',
    ['targets[0].verdict: expected ok, partly, fails, waiting, any, got "redy"'],
  ],
  [
    'ready and verdict',
    'targets: [{ target: a, ready: true, verdict: ok }]',
    ['targets[0].ready: "verdict" and "ready" exclude each other'],
  ],
  ['an empty target', 'targets: [""]', ['targets[0].target: expected a target such as xds:///greeter, got ""']],
  [
    'a duration without a unit',
    'settled_within: 5\ntargets: [a]',
    ['1:1 settled_within: expected a duration such as 250ms or 1.5s, got 5'],
  ],
  [
    'an unknown status',
    'targets: [{ target: a, resources: { CDS/a: ACKD } }]',
    [
      '1:37 targets[0].resources["CDS/a"]: expected REQUESTED, ACKED, NACKED, DOES_NOT_EXIST, RECEIVED_ERROR, TIMEOUT, got "ACKD" (did you mean "ACKED"?)',
    ],
  ],
  [
    'the initial status in never',
    'never: [REQUESTED]\ntargets: [a]',
    ['1:9 never[0]: expected NACKED, DOES_NOT_EXIST, RECEIVED_ERROR, TIMEOUT, got "REQUESTED"'],
  ],
  [
    'an unknown type',
    'targets: [{ target: a, resources: { CD/a: ACKED } }]',
    [
      '1:37 targets[0].resources["CD/a"]: expected a type and a name, as in CDS/blue; types are LDS, RDS, CDS, EDS (did you mean "CDS"?)',
    ],
  ],
  [
    'a resource without a name',
    'targets: [{ target: a, resources: { CDS: ACKED, CDS/: ACKED } }]',
    [
      '1:37 targets[0].resources.CDS: expected a type and a name',
      '1:49 targets[0].resources["CDS/"]: expected a type and a name',
    ],
  ],
  [
    'an empty expectation of a resource',
    'targets: [{ target: a, resources: { CDS/a: {} } }]',
    ['targets[0].resources["CDS/a"]: expected at least one key, such as status'],
  ],
  [
    'endpoints of a cluster',
    'targets: [{ target: a, resources: { CDS/a: { endpoints: { healthy: 1 } } } }]',
    ['targets[0].resources["CDS/a"].endpoints: only an EDS resource has endpoints'],
  ],
  [
    'an invalid count',
    'targets: [{ target: a, resources: { EDS/a: { endpoints: { healthy: "=>3", total: 1.5 } } } }]',
    [
      'endpoints.healthy: expected a number, or a comparison such as \'>=3\', got "=>3"',
      "endpoints.total: expected a number, or a comparison such as '>=3', got 1.5",
    ],
  ],
  [
    'an error of an ACKED resource',
    'targets: [{ target: a, resources: { CDS/a: { status: ACKED, error: NOT_FOUND } } }]',
    ['resources["CDS/a"].error: a resource that is ACKED has no error'],
  ],
  [
    'an empty error',
    'targets: [{ target: a, resources: { CDS/a: { error: {} } } }]',
    ['resources["CDS/a"].error: expected a code, or a mapping with code and message'],
  ],
  [
    'an unknown code',
    'targets: [{ target: a, resources: { CDS/a: { error: PERMISION_DENIED } } }]',
    ['error.code: expected OK, CANCELLED'],
  ],
  [
    'two operators',
    'targets: [{ target: a, resources: { CDS/a: { fields: { name: { matches: a, exists: true } } } } }]',
    ['fields.name: expected a value, or a mapping with one of equals, matches, contains, count, exists'],
  ],
  [
    'a mapping without an operator',
    'targets: [{ target: a, resources: { CDS/a: { fields: { eds_cluster_config: { service_name: x } } } } }]',
    ['fields.eds_cluster_config: expected a value, or a mapping with one of'],
  ],
  [
    'no value',
    'targets: [{ target: a, resources: { CDS/a: { fields: { name: } } } }]',
    ['fields.name: expected a value, or one of equals'],
  ],
  [
    'a version that is a number',
    'targets: [{ target: a, resources: { CDS/a: { version: 7 } } }]',
    ['version: expected text, or a mapping with matches or contains; put a number in quotes'],
  ],
  [
    'an invalid method',
    'targets: [{ target: a, rpcs: [SayHello, { method: /a }] }]',
    [
      '1:31 targets[0].rpcs[0].method: expected /package.Service/Method, got "SayHello"',
      'rpcs[1].method: expected /package.Service/Method, got "/a"',
    ],
  ],
  [
    'an upper-case header',
    'targets: [{ target: a, rpcs: [{ headers: { Env: x } }] }]',
    ['rpcs[0].headers.Env: a header name consists of lower-case letters'],
  ],
  [
    'a binary header that is not text',
    'targets: [{ target: a, rpcs: [{ headers: { k-bin: {} } }] }]',
    ['rpcs[0].headers.k-bin: expected text'],
  ],
  [
    'a deadline of 0s',
    'targets: [{ target: a, rpcs: [{ deadline: 0s }] }]',
    ['rpcs[0].deadline: must be longer than 0s'],
  ],
  [
    'cluster and clusters',
    'targets: [{ target: a, rpcs: [{ expect: { cluster: a, clusters: { a: 100 } } }] }]',
    ['rpcs[0].expect: expected either "cluster" or "clusters"'],
  ],
  [
    'more than 100 %',
    'targets: [{ target: a, rpcs: [{ expect: { clusters: { a: 101 } } }] }]',
    ['rpcs[0].expect.clusters.a: expected a percentage from 0 to 100, got 101'],
  ],
  [
    'clusters of a server target',
    'targets: [{ target: "#server:x:1", rpcs: [/a/b, { expect: { cluster: c, timeout: 1s } }] }]',
    [
      'targets[0].rpcs[1].expect.cluster: applies only to targets that clients dial',
      'targets[0].rpcs[1].expect.timeout: applies only to targets that clients dial',
    ],
  ],
  [
    'unknown findings',
    'findings: { forbid: [fatal, XI2031], allow: [error] }\ntargets: [a]',
    [
      '1:22 findings.forbid[0]: expected error, warning, note, or a code such as XI203, got "fatal"',
      '1:29 findings.forbid[1]: expected error, warning, note, or a code such as XI203, got "XI2031" (did you mean "XI201"?)',
      '1:46 findings.allow[0]: expected a code such as XI203, got "error"',
    ],
  ],
  [
    'fallback_drill: false',
    'targets: [{ target: a, fallback_drill: false }]',
    ['targets[0].fallback_drill: expected a mapping with drop, ready_within, back_within, got false'],
  ],
  [
    'a bootstrap and a server',
    'bootstrap: b.json\nserver: x:1\ntargets: [a]',
    ['2:1 server: "server" and "bootstrap" exclude each other'],
  ],
  ['a server that is none', 'server: localhost\ntargets: [a]', ['1:1 server: expected host:port, got "localhost"']],
  [
    'plaintext without a server',
    'plaintext: true\ntargets: [{ target: a, cacert: x }]',
    ['1:1 plaintext: requires "server"', 'targets[0].cacert: requires "server"'],
  ],
  [
    'a certificate without a key',
    'server: x:1\ncert: c.pem\ntargets: [{ target: a, server: y:1, key: k.pem }]',
    ['2:1 cert: "cert" and "key" require each other', 'targets[0].key: "cert" and "key" require each other'],
  ],
  [
    'plaintext with certificates',
    'server: x:1\nplaintext: true\ncacert: ca.pem\ntargets: [a]',
    ['2:1 plaintext: excludes "insecure", "cacert", "cert", "key" and "token_file"'],
  ],
];

/** Files that only the reader rejects: a schema cannot express these rules. */
export const READER_ONLY: typeof BAD = [
  [
    'a finding that does not exist',
    'findings: { allow: [XI299] }\ntargets: [a]',
    ['findings.allow[0]: expected a code such as XI203, got "XI299"'],
  ],
  ['no YAML', 'targets: [a,\n  x', ['2:4 Flow sequence in block collection must be sufficiently indented']],
  ['a key twice', 'targets: [a]\ntargets: [b]', ['2:1 Map keys must be unique']],
  [
    'an invalid regular expression',
    "targets: [{ target: a, resources: { CDS/a: { fields: { name: { matches: '(' } } } } }]",
    ['fields.name.matches: missing )'],
  ],
  [
    'an invalid path',
    'targets: [{ target: a, resources: { CDS/a: { fields: { "name.": x, "[x": y, "": z } } } }]',
    ['fields["name."]: expected a path to a field', 'fields["[x"]: expected a path', 'fields[""]: expected a path'],
  ],
  [
    'fields that the resource type does not have',
    `targets:
  - target: a
    resources:
      RDS/a:
        fields:
          virtual_hsots[0].name: x
          virtual_hosts.name: x
          virtual_hosts[0].routes[0].route.clutser: x
          virtual_hosts[nmae=x].name: x
          name.first: x
          name[0]: x
          "[0]": x
`,
    [
      '6:11 targets[0].resources["RDS/a"].fields["virtual_hsots[0].name"]: RouteConfiguration has no field "virtual_hsots" (did you mean "virtual_hosts"?)',
      '7:11 targets[0].resources["RDS/a"].fields["virtual_hosts.name"]: virtual_hosts: it is a list: choose an element, as in [0] or [name=x]',
      'virtual_hosts[0].routes[0].route: RouteAction has no field "clutser" (did you mean "cluster"?)',
      'virtual_hosts: VirtualHost has no field "nmae" (did you mean "name"?)',
      'name: it has no fields',
      'name: it has no fields',
      '12:11 targets[0].resources["RDS/a"].fields["[0]"]: it is not a list',
    ],
  ],
  [
    'a binary header that is not base64',
    'targets: [{ target: a, rpcs: [{ headers: { k-bin: "!" } }] }]',
    ['headers.k-bin: a binary header value must be base64'],
  ],
];

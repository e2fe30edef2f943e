import { describe, expect, it } from 'vitest';
import { type FilesReport, findingsOf, outcomeOf, validateFile } from '../../../src/inspect/validate/files.js';
import { validateDocument } from '../../../src/view/validate.js';
import { CONTEXT } from '../../resources/context.js';

const report = (text: string): FilesReport => validateFile('f.yaml', new TextEncoder().encode(text), CONTEXT);

/** `4:1 XI105 lb_polcy` for each finding of a code. */
const found = (text: string, ...codes: string[]): string[] =>
  findingsOf(report(text))
    .filter(({ code }) => codes.includes(code))
    .map(({ code, place: { line, column, path } }) => `${line}:${column} ${code} ${path}`);
const verdicts = (text: string): string[] =>
  report(text).responses.flatMap(({ resources }) => resources.map(({ name, verdict }) => `${name} ${verdict}`));

const CLUSTER = 'name: a\ntype: EDS\neds_cluster_config: { eds_config: { ads: {} } }\n';
const indented = (text: string): string => text.trimEnd().replaceAll('\n', '\n  ');

const listener = (filter: string): string => `"@type": LDS
name: l
api_listener:
  api_listener:
    "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
    route_config: { virtual_hosts: [] }
    http_filters:
    ${filter}
    - name: router
      typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router }
`;

describe('an unknown field in YAML', () => {
  it('is a finding with its position, and the resource gets a verdict', () => {
    const text = `${CLUSTER}lb_polcy: ROUND_ROBIN\nfrom_the_future: { x: 1 }\n`;
    expect(verdicts(text)).toEqual(['a accepted']);
    expect(found(text, 'XI105')).toEqual(['4:1 XI105 lb_polcy', '5:1 XI105 from_the_future']);
    expect(report(text).unreadable).toEqual([]);
    expect(outcomeOf(report(text), 'error')).toBe('success');
    expect(outcomeOf(report(text), 'warning')).toBe('findings');
  });

  it('is found in nested messages, lists, maps, Anys and wrappers', () => {
    const routes = `"@type": type.googleapis.com/envoy.service.discovery.v3.Resource
name: r
resource:
  "@type": type.googleapis.com/envoy.config.route.v3.RouteConfiguration
  virtual_hosts:
  - domains: ["*"]
    nested: 1
    metadata:
      typed_filter_metadata:
        x: { "@type": type.googleapis.com/envoy.config.core.v3.Node, in_any: 1 }
    routes: []
`;
    expect(verdicts(routes)).toEqual(['r accepted']);
    expect(found(routes, 'XI105')).toEqual([
      '7:5 XI105 virtual_hosts[0].nested',
      '10:70 XI105 virtual_hosts[0].metadata.typed_filter_metadata.x.in_any',
    ]);
  });

  it('has a suggestion only if a field differs in one or two letters', () => {
    const message = (field: string): string =>
      findingsOf(report(`${CLUSTER}${field}: 1\n`)).find(({ code }) => code === 'XI105')?.message ?? '';
    expect(message('lb_polcy')).toContain('did you mean "lb_policy"?');
    expect(message('conect_timout')).toContain('did you mean "connect_timeout"?');
    expect(message('transport_matcher')).not.toContain('did you mean');
    expect(message('http_filter')).not.toContain('did you mean');
  });

  it('does not hide the reasons for a NACK', () => {
    const text = `${CLUSTER}lb_policy: MAGLEV\nfrom_the_future: 1\n`;
    expect(verdicts(text)).toEqual(['a rejected']);
    expect(found(text, 'XI100', 'XI105')).toEqual(['4:1 XI100 lb_policy', '5:1 XI105 from_the_future']);
  });

  it('in a DiscoveryResponse itself is a finding too', () => {
    const text = `type_url: CDS\nfrom_the_future: 1\nresources:\n- "@type": CDS\n  ${indented(CLUSTER)}\n`;
    expect(verdicts(text)).toEqual(['a accepted']);
    expect(found(text, 'XI105')).toEqual(['2:1 XI105 from_the_future']);
  });

  it('is in the JSON document', () => {
    const document = validateDocument(report(`${CLUSTER}later: 1\n`), 'spec') as {
      responses: { resources: { findings: unknown[] }[] }[];
    };
    expect(document.responses[0]?.resources[0]?.findings).toMatchObject([
      { code: 'XI105', severity: 'warning', path: 'later', line: 4, column: 1 },
    ]);
  });
});

describe('an Any of an unknown type in YAML', () => {
  const FILTER = `- name: alpn
      typed_config:
        "@type": type.googleapis.com/istio.envoy.config.filter.http.alpn.v2alpha1.FilterConfig
        alpn_override: [{ alpn_override: [istio] }]`;

  it('keeps its type URL, by which gRPC rejects a required HTTP filter', () => {
    expect(verdicts(listener(FILTER))).toEqual(['l rejected']);
    expect(report(listener(FILTER)).responses[0]?.nack).toContain(
      'http_filters[0].typed_config.value[istio.envoy.config.filter.http.alpn.v2alpha1.FilterConfig] error:unsupported filter type',
    );
    expect(found(listener(FILTER), 'XI106')).toEqual([
      '10:9 XI106 api_listener.api_listener.http_filters[0].typed_config',
    ]);
  });

  it('is ignored in an optional HTTP filter', () => {
    const optional = `${FILTER}\n      is_optional: true`;
    expect(verdicts(listener(optional))).toEqual(['l accepted']);
    expect(outcomeOf(report(listener(optional)), 'error')).toBe('success');
  });

  it('keeps its bytes if they are given', () => {
    const typed = '"@type": type.googleapis.com/x.Y, "@value": CgF4';
    const text = `${CLUSTER}metadata: { typed_filter_metadata: { m: { ${typed} } } }\n`;
    expect(verdicts(text)).toEqual(['a accepted']);
    expect(found(text, 'XI106')).toEqual([]);
  });

  it('as a resource has no effect on gRPC', () => {
    const { responses, unreadable } = report('"@type": type.googleapis.com/acme.Thing\nname: x\n');
    expect(unreadable).toEqual([]);
    expect(responses).toMatchObject([{ verdict: 'IGNORED', resources: [{ verdict: 'ignored' }] }]);
  });
});

describe('the type of a resource', () => {
  it('that is neither a type URL nor a short name is a problem', () => {
    const { responses, unreadable } = report('"@type": CSD\nname: x\n');
    expect(responses).toEqual([]);
    expect(unreadable).toMatchObject([
      {
        problems: [
          {
            place: { path: '@type', line: 1 },
            message: '"CSD" is not a type: expected LDS, RDS, CDS, EDS or a type URL (did you mean "CDS"?)',
          },
        ],
      },
    ]);
  });

  it('that differs in a letter from a type of the API has a suggestion', () => {
    const text = '"@type": type.googleapis.com/envoy.config.cluster.v3.Clutser\nname: x\n';
    expect(findingsOf(report(text)).map(({ message }) => message)).toEqual([
      'type envoy.config.cluster.v3.Clutser is not in the API (did you mean "envoy.config.cluster.v3.Cluster"?): its contents are left out',
    ]);
  });
});

describe('a known field with a value of another type', () => {
  it('is a problem of its resource; the other resources of the file get their verdicts', () => {
    const text = `- ${indented(CLUSTER)}\n- name: b\n  connect_timeout: soon\n- ${indented(CLUSTER.replace('name: a', 'name: c'))}\n`;
    expect(verdicts(text)).toEqual(['a accepted', 'c accepted']);
    expect(report(text).unreadable).toMatchObject([
      { problems: [{ place: { path: '[1].connect_timeout', line: 5 } }] },
    ]);
    expect(outcomeOf(report(text), 'error')).toBe('unreadable');
  });

  it('is a problem of one resource of a DiscoveryResponse', () => {
    const text = `type_url: CDS\nresources:\n- "@type": CDS\n  ${indented(CLUSTER)}\n- "@type": CDS\n  name: 5\n`;
    expect(verdicts(text)).toEqual(['a accepted']);
    expect(report(text).unreadable).toMatchObject([{ problems: [{ place: { path: 'resources[1].name', line: 8 } }] }]);
  });
});

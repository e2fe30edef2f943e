import { describe, expect, it } from 'vitest';
import { readSideFile, type SideFile } from '../../../src/inspect/diff-sides/read-file.js';

const T = 'type.googleapis.com/';
const CLUSTER = `${T}envoy.config.cluster.v3.Cluster`;
const ADMIN = `${T}envoy.admin.v3`;

function read(value: unknown, source = 'file.json'): SideFile {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return readSideFile(source, new TextEncoder().encode(text));
}

/** `CDS blue 7 ACKED EDS` without the values that are unknown. */
function listed({ parts }: SideFile): string[] {
  return parts.flatMap(({ resources }) =>
    resources.map(({ typeUrl, name, version, status, contents }) => {
      const { type } = (contents() ?? { type: 'no contents' }) as { type?: string };
      return [typeUrl.replace(/.*\./, ''), name, version, status, type].filter((one) => one !== undefined).join(' ');
    }),
  );
}

const cluster = (name: string, type = 'EDS'): object => ({ '@type': CLUSTER, name, type });

describe('a file of resources', () => {
  it.each<[string, unknown]>([
    ['a resource', cluster('blue')],
    ['a list', [cluster('blue')]],
    ['a DiscoveryResponse', { type_url: CLUSTER, version_info: '7', resources: [cluster('blue')] }],
    ['YAML', `'@type': CDS\nname: blue\ntype: EDS\n`],
  ])('reads %s', (_, value) => {
    const file = read(value);
    expect(file).toMatchObject({ kind: undefined, problems: [], notes: [] });
    expect(listed(file).map((one) => one.replace(' 7', ''))).toEqual(['Cluster blue EDS']);
  });

  it('takes the version of a DiscoveryResponse', () => {
    const file = read({ type_url: CLUSTER, version_info: '7', resources: [cluster('blue')] });
    expect(listed(file)).toEqual(['Cluster blue 7 EDS']);
  });

  it('reports every problem with its position', () => {
    expect(read('- name: blue\n  type: NONSENSE\n- 7\n', 'c.yaml').problems).toEqual([
      expect.stringMatching(/^c\.yaml:2:3: \[0\]\.type: /),
      expect.stringMatching(/^c\.yaml:3:3: \[1\]: expected a resource, got 7/),
    ]);
  });

  it('notes fields that are not compared, because the API does not have them', () => {
    const file = read(`'@type': CDS\nname: blue\nnonsense: 1\n`, 'c.yaml');
    expect(file.problems).toEqual([]);
    expect(file.notes).toEqual([expect.stringMatching(/^c\.yaml:3:1: nonsense: .*\(not compared\)$/)]);
  });

  it('reads bytes that were saved as [redacted]', () => {
    const secret = { '@type': `${T}envoy.extensions.transport_sockets.tls.v3.Secret`, name: 'key' };
    const file = read({ ...secret, tls_certificate: { private_key: { inline_bytes: '[redacted]' } } });
    expect(file.problems).toEqual([]);
    expect(file.parts[0]?.resources.map(({ name }) => name)).toEqual(['key']);
  });
});

describe('an Envoy config dump', () => {
  const dynamic = (name: string, version: string, type?: string): object => ({
    version_info: version,
    cluster: cluster(name, type),
    client_status: 'ACKED',
  });

  it('has static and dynamic resources with their versions and statuses', () => {
    const file = read({
      configs: [
        {
          '@type': `${ADMIN}.ClustersConfigDump`,
          version_info: '9',
          static_clusters: [{ cluster: cluster('xds', 'STATIC') }],
          dynamic_active_clusters: [dynamic('blue', '8')],
        },
        {
          '@type': `${ADMIN}.ListenersConfigDump`,
          dynamic_listeners: [
            {
              name: 'in',
              active_state: {
                version_info: '4',
                listener: { '@type': `${T}envoy.config.listener.v3.Listener`, name: 'in' },
              },
              client_status: 'ACKED',
            },
          ],
        },
      ],
    });
    expect(file.kind).toBe('config dump');
    expect(listed(file).sort()).toEqual(['Cluster blue 8 ACKED EDS', 'Cluster xds STATIC', 'Listener in 4 ACKED']);
  });

  it('has the active version of a warming cluster, and notes warming ones', () => {
    const file = read({
      configs: [
        {
          '@type': `${ADMIN}.ClustersConfigDump`,
          dynamic_active_clusters: [dynamic('blue', '8')],
          dynamic_warming_clusters: [dynamic('blue', '9', 'STATIC'), dynamic('red', '9')],
        },
      ],
    });
    expect(listed(file)).toEqual(['Cluster blue 8 ACKED EDS', 'Cluster red 9 ACKED EDS']);
    expect(file.notes).toEqual([
      expect.stringContaining('warming: Cluster blue, Cluster red'.replaceAll('Cluster', 'CDS')),
    ]);
  });

  it('has NACKED resources with the version in use', () => {
    const rejected = { failed_configuration: cluster('blue', 'STATIC'), version_info: '9' };
    const file = read({
      configs: [
        {
          '@type': `${ADMIN}.ClustersConfigDump`,
          dynamic_active_clusters: [
            { ...dynamic('blue', '8'), error_state: rejected },
            { error_state: { ...rejected, failed_configuration: cluster('red') } },
          ],
        },
      ],
    });
    expect(listed(file)).toEqual(['Cluster blue 8 NACKED EDS', 'Cluster red NACKED no contents']);
  });
});

describe('a saved document', () => {
  it('has statuses without contents if it is that of a target', () => {
    const resources = [
      { type: 'CDS', typeUrl: CLUSTER, name: 'blue', status: 'ACKED', version: '7' },
      { type: 'CDS', typeUrl: CLUSTER, name: 'red', status: 'DOES_NOT_EXIST', version: null },
    ];
    for (const kind of ['status', 'report']) {
      const file = read({ schema: `xds-inspect/${kind}/v1`, scopes: [{ scope: 'xds:///a', resources }] });
      expect(file).toMatchObject({ kind: `saved ${kind}`, problems: [] });
      expect(listed(file)).toEqual(['Cluster blue 7 ACKED no contents', 'Cluster red DOES_NOT_EXIST no contents']);
    }
  });

  it('has the contents of a CSDS status', () => {
    const one = {
      type: 'CDS',
      typeUrl: CLUSTER,
      name: 'blue',
      status: 'ACKED',
      version: '7',
      contents: cluster('blue'),
    };
    const file = read({ schema: 'xds-inspect/status/v1', scopes: [{ resources: [one] }] });
    expect(listed(file)).toEqual(['Cluster blue 7 ACKED EDS']);
  });

  it('of get has resources, errors and missing names', () => {
    const file = read({
      schema: 'xds-inspect/get/v1',
      type: 'all',
      typeUrl: null,
      resources: [{ type: 'CDS', name: 'blue', version: '7', verdict: 'accepted', resource: cluster('blue') }],
      errors: [{ type: 'CDS', name: 'red' }],
      missing: ['CDS/green'],
    });
    expect(listed(file)).toEqual([
      'Cluster blue 7 ACKED EDS',
      'Cluster red RECEIVED_ERROR no contents',
      'Cluster green DOES_NOT_EXIST no contents',
    ]);
  });

  it('is read from YAML as from JSON', () => {
    const text = `schema: xds-inspect/status/v1\nscopes:\n  - resources:\n      - {typeUrl: ${CLUSTER}, name: blue, status: ACKED}\n`;
    expect(listed(read(text, 'status.yaml'))).toEqual(['Cluster blue ACKED no contents']);
  });

  it('of a CSDS response has the statuses of its resources', () => {
    const status = { typeUrl: CLUSTER, clientStatus: 'ACKED' };
    const file = read({
      config: [
        {
          genericXdsConfigs: [
            { ...status, name: 'blue', versionInfo: '7', xdsConfig: cluster('blue') },
            { ...status, name: 'red', clientStatus: 'DOES_NOT_EXIST' },
          ],
        },
      ],
    });
    expect(file.kind).toBe('CSDS response');
    expect(listed(file)).toEqual(['Cluster blue 7 ACKED EDS', 'Cluster red DOES_NOT_EXIST no contents']);
  });

  it('without a list of resources is rejected with what to save instead', () => {
    const { problems } = read({ schema: 'xds-inspect/explain/v1', outcome: 'ok' });
    expect(problems).toEqual([
      expect.stringMatching(
        /^file\.json: the output of xds-inspect explain does not list resources: save get all -o yaml/,
      ),
    ]);
  });

  it.each(['scopes: 7', 'scopes: [7, {resources: 7}]', 'scopes: [{resources: [7, {name: 7}]}]'])(
    'with wrong parts does not fail: %s',
    (text) => {
      expect(() => read(`schema: xds-inspect/status/v1\n${text}\n`, 's.yaml')).not.toThrow();
    },
  );

  it('of a report page is rejected with what to use instead', () => {
    expect(read('<!doctype html><html>', 'page.html').problems).toEqual([
      expect.stringMatching(/^page\.html: an HTML page: use a recording/),
    ]);
  });
});

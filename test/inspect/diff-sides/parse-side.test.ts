import { describe, expect, it } from 'vitest';
import { parseSide } from '../../../src/inspect/diff-sides/parse-side.js';
import type { Paths } from '../../../src/inspect/diff-sides/side.js';

/** A folder with these entries; those of folders end in a slash. */
const ENTRIES = ['night.xdsrec', 'before.yaml', 'resources/', 'dump.json', 'localhost:9000', 'odd@1s', 'in:valid'];

const paths: Paths = {
  kindOf: (path) => {
    const name = path.replace(/^\.\//, '').replace(/\/$/, '');
    if (ENTRIES.includes(`${name}/`)) return 'folder';
    return ENTRIES.includes(name) ? 'file' : undefined;
  },
  namesIn: (folder) => (folder === './' ? ENTRIES : folder === 'resources/' ? ['clusters.yaml'] : []),
};

const file = (path: string, at?: string, isEnvoy = false): object => ({ kind: 'file', path, at, isEnvoy });
const target = (name: string): object => ({ kind: 'target', target: name });
const csds = (address: string): object => ({ kind: 'csds', address: { address, kind: 'csds', target: address } });
const url = (text: string): object => ({ kind: 'url', url: text });

describe('parseSide', () => {
  it.each<[string, object]>([
    // Existing paths.
    ['night.xdsrec', file('night.xdsrec')],
    ['night.xdsrec@12.5s', file('night.xdsrec', '12.5s')],
    ['night.xdsrec@2026-11-19T00:00:00Z', file('night.xdsrec', '2026-11-19T00:00:00Z')],
    ['night.xdsrec@nonsense', file('night.xdsrec', 'nonsense')],
    ['odd@1s', file('odd@1s')],
    ['localhost:9000', file('localhost:9000')],
    ['resources', { kind: 'folder', path: 'resources' }],
    ['resources/', { kind: 'folder', path: 'resources/' }],
    ['-', file('-')],
    // Targets.
    ['greeter', target('greeter')],
    ['greeter.prod.svc.cluster.local', target('greeter.prod.svc.cluster.local')],
    ['xds:///greeter', target('xds:///greeter')],
    ['XDS:///greeter', target('XDS:///greeter')],
    ['xds://authority/greeter', target('xds://authority/greeter')],
    ['xds:greeter', target('xds:greeter')],
    ['xds:localhost:50051', target('xds:localhost:50051')],
    ['xds:xds:///greeter', target('xds:///greeter')],
    ['#server:0.0.0.0:8080', target('#server:0.0.0.0:8080')],
    ['xds:#server:0.0.0.0:8080', target('#server:0.0.0.0:8080')],
    ['user@host', target('user@host')],
    // A prefix comes before a path.
    ['xds:resources', target('xds:resources')],
    // Addresses.
    ['csds:localhost:50051', csds('localhost:50051')],
    ['csds:localhost:9000', csds('localhost:9000')],
    ['csds:unix:/run/csds.sock', csds('unix:/run/csds.sock')],
    ['unix:/run/csds.sock', csds('unix:/run/csds.sock')],
    ['ipv4:10.0.0.7:50051', csds('ipv4:10.0.0.7:50051')],
    // Envoy.
    ['envoy:dump.json', file('dump.json', undefined, true)],
    ['envoy:localhost:9901', url('http://localhost:9901/config_dump?include_eds')],
    ['envoy:[::1]:9901', url('http://[::1]:9901/config_dump?include_eds')],
    ['envoy:localhost:9901/config_dump?mask=x', url('http://localhost:9901/config_dump?mask=x')],
    ['envoy:https://pod/config_dump', url('https://pod/config_dump')],
    ['http://localhost:9901', url('http://localhost:9901/config_dump?include_eds')],
    ['http://localhost:9901/', url('http://localhost:9901/config_dump?include_eds')],
    ['http://localhost:9901/config_dump', url('http://localhost:9901/config_dump')],
  ])('reads %s', (typed, side) => {
    expect(parseSide(typed, paths)).toEqual({ typed, ...side });
  });

  it.each<[string, 64 | 65, string]>([
    ['', 64, 'a side is empty: use a target, an address, a file or a folder'],
    [
      'localhost:50051',
      64,
      'localhost:50051 is ambiguous: use csds:localhost:50051 for the process that serves CSDS there, or xds:///localhost:50051 for a target',
    ],
    [
      '[::1]:50051',
      64,
      '[::1]:50051 is ambiguous: use csds:[::1]:50051 for the process that serves CSDS there, or xds:///[::1]:50051 for a target',
    ],
    [
      'dns:///pod:50051',
      64,
      'dns:///pod:50051 is ambiguous: use csds:dns:///pod:50051 for the process that serves CSDS there, or xds:///pod:50051 for a target',
    ],
    [
      'resourcs',
      64,
      'resourcs is ambiguous: use resources/ for the path of a similar name, or xds:///resourcs for a target',
    ],
    ['resources@1s', 64, 'resources@1s: resources is a folder: @TIME is a time in a recording'],
    ['xds:', 64, 'xds:: no target follows: use xds:///greeter, for example'],
    ['xds:///', 64, 'xds:///: no target follows: use xds:///greeter, for example'],
    ['csds:', 64, 'csds:: no address follows: use csds:HOST:PORT or csds:unix:/path'],
    ['envoy:', 64, 'envoy:: nothing follows: use envoy:FILE or envoy:HOST:PORT (its admin port)'],
    ['envoy:resources', 64, 'envoy:resources: it is a folder: use a file with a dump, or HOST:PORT'],
    ['http://', 64, 'http://: the URL has no host'],
    ['xdstp://a/envoy.config.listener.v3.Listener/b', 64, ': not an xDS target: use xds://a/b'],
    ['befor.yaml', 65, 'befor.yaml: no such file or folder (did you mean before.yaml?)'],
    ['nigth.xdsrec@5s', 65, 'nigth.xdsrec: no such file or folder (did you mean night.xdsrec@5s?)'],
    [
      'resources/cluster.yaml',
      65,
      'resources/cluster.yaml: no such file or folder (did you mean resources/clusters.yaml?)',
    ],
    ['./greeter', 65, './greeter: no such file or folder'],
    ['team/greeter', 65, 'team/greeter: no such file or folder; for a target: xds:///team/greeter'],
    [
      'envoy:dmp.json',
      65,
      'dmp.json: no such file (did you mean envoy:dump.json?); envoy: takes a file, HOST:PORT or a URL',
    ],
  ])('rejects "%s" with exit code %i and the spellings that work', (typed, exitCode, message) => {
    const parsed = parseSide(typed, paths);
    expect(parsed).toMatchObject({ kind: 'problem', exitCode });
    expect('message' in parsed && parsed.message).toContain(message);
  });

  it('rejects istio: with exit code 64 and what to use instead', () => {
    const parsed = parseSide('istio:istiod:15010', paths);
    expect(parsed).toMatchObject({ kind: 'problem', exitCode: 64 });
    expect('message' in parsed && parsed.message).toMatch(
      /istioctl proxy-config all POD -o json.*csds istio:istiod:15010/,
    );
  });
});

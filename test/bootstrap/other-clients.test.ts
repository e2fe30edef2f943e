import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bootstrapReader } from '../../src/bootstrap/readers/readers.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import { resolveTarget } from '../../src/bootstrap/target.js';
import { type BootstrapRecording, compareBootstraps } from '../../tools/oracle/conformance/bootstraps.js';
import { Comparison } from '../../tools/oracle/conformance/comparison.js';

const FIXTURES = join(import.meta.dirname, '../../fixtures/bootstrap');

/** Names of requests that differ from the recording. */
const EXCEPTIONS: Record<string, string[]> = {
  'grpc-go': [
    // The engine does not request a listener whose name has another type.
    'top-template-xdstp-badtype: resource_names',
    'top-template-xdstp-badtype: node',
  ],
  'grpc-java': [],
  'grpc-node': [
    // An empty template counts as absent.
    'top-template-empty with a node: resource_names',
  ],
};

describe('bootstraps, compared with recordings of other clients', () => {
  it.each([
    ['grpc-go', 189],
    ['grpc-java', 169],
    ['grpc-node', 280],
  ] as const)('%s: all verdicts and messages agree', (name, cases) => {
    const recording = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')) as BootstrapRecording;
    const comparison = new Comparison();
    compareBootstraps(recording, comparison);
    const [outcome] = comparison.tallies;
    expect(outcome?.total).toBeGreaterThanOrEqual(cases);
    expect(comparison.differences.map(({ id, what }) => `${id}: ${what}`)).toEqual(EXCEPTIONS[name]);
  });
});

describe('targets of other clients', () => {
  const text = JSON.stringify({
    xds_servers: [{ server_uri: 'a:1', channel_creds: [{ type: 'insecure' }] }],
    node: { id: 'n', locality: {} },
    authorities: { known: {} },
  });
  const resolve = (preset: 'grpc-go' | 'grpc-java' | 'grpc-node', target: string): unknown => {
    const switches = readSwitches({}, preset);
    const read = bootstrapReader(preset).read(new TextEncoder().encode(text), switches, undefined);
    if (!read.ok) throw new Error(read.message);
    const result = resolveTarget(target, read.bootstrap, { preset, switches, defaultAuthority: undefined });
    if (!result.ok) return `${result.status}: ${result.message}`;
    const { scope, listener, dataPlaneAuthority } = result.resolution;
    return [scope, listener, dataPlaneAuthority];
  };

  it.each([
    ['grpc-go', 'xds:///a/b%20c?q', ['xds:///a/b c', 'a/b c', 'a%2Fb%20c']],
    ['grpc-java', 'xds:///a/b%20c?q', ['xds:///a/b%20c?q', 'a/b c', 'a%2Fb%20c']],
    ['grpc-node', 'xds:///a/b%20c?q', ['', 'a/b%20c?q', 'a/b%20c?q']],
    ['grpc-go', ':80', ['xds:///:80', ':80', 'localhost:80']],
    [
      'grpc-go',
      'xds://other/s',
      'UNAVAILABLE: xds: authority "other" specified in dial target "xds://other/s" is not found in the bootstrap file',
    ],
    ['grpc-java', 'xds://other/s', 'UNAVAILABLE: invalid target URI: target authority not found in the bootstrap'],
    [
      'grpc-node',
      'xds://other/s',
      'UNAVAILABLE: xDS name resolution failed for target xds://other/s: Authority other not found in bootstrap file',
    ],
    ['grpc-java', 'xds://known/s', ['xds://known/s', 'xdstp://known/envoy.config.listener.v3.Listener/s', 's']],
  ] as const)('%s resolves %s', (preset, target, expected) => {
    expect(resolve(preset, target)).toEqual(expected);
  });
});

describe('environment variables', () => {
  it.each([
    ['grpc-go', true, 'open /f: no such file or directory'],
    ['grpc-java', false, 'java.nio.file.NoSuchFileException: /f'],
    ['grpc-node', true, "ENOENT: no such file or directory, open '/f'"],
  ] as const)('%s: empty variables and unreadable files', (preset, ignoresEmpty, reason) => {
    const reader = bootstrapReader(preset);
    expect(reader.ignoresEmptyVariables).toBe(ignoresEmpty);
    expect(reader.unreadable('/f', 'ENOENT', '')).toContain(reason);
  });
});

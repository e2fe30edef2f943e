import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
// Loaded before any test begins, since loading it counts against the timeout of a test.
import '../../src/cli/run/schema.js';
import { runCli } from '../support/cli.js';

const T = 'type.googleapis.com/';

describe('schema', () => {
  it.each([
    ['bootstrap', 'bootstrap'],
    ['Expectations', 'expectations'],
    ['context', 'contexts'],
    ['scenario', 'scenario'],
    ['events', 'event'],
    ['resource', 'resources'],
    ['listener', 'LDS'],
    ['routes', 'RDS'],
    ['cluster', 'CDS'],
    ['Endpoint', 'EDS'],
    ['cds', 'CDS'],
    ['sds', 'SDS'],
    [`${T}envoy.config.cluster.v3.Cluster`, 'CDS'],
    ['ClusterLoadAssignment', 'EDS'],
    ['envoy.config.core.v3.Locality', 'envoy.config.core.v3.Locality'],
    [`${T}google.protobuf.Duration`, 'google.protobuf.Duration'],
  ])('%s prints a schema as JSON', async (word, name) => {
    const { code, stdout, stderr } = await runCli(['schema', word]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.any(String), $id: `urn:xds-inspect:schema:${name}` });
  });

  it('describes the contents of resources in scenarios', async () => {
    const { stdout } = await runCli(['schema', 'scenario']);
    expect(Object.keys(JSON.parse(stdout).definitions)).toContain('envoy.config.cluster.v3.Cluster');
  });

  it('has one definition per line', async () => {
    const { stdout } = await runCli(['schema', 'envoy.config.core.v3.Node']);
    const lines = stdout.split('\n').filter((line) => /^ {4}"[\w.]+": \{.*\},?$/.test(line));
    expect(lines.length).toBe(Object.keys(JSON.parse(stdout).definitions).length);
  });

  it('prints the same as YAML', async () => {
    const [json, yaml] = await Promise.all([
      runCli(['schema', 'bootstrap']),
      runCli(['schema', 'bootstrap', '-o', 'yaml']),
    ]);
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
  });

  it('without a word prints the list, of which every name and alias is a schema', async () => {
    const { code, stdout } = await runCli(['schema']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^SCHEMA +ALIAS +FILE\n/);
    const list = JSON.parse((await runCli(['schema', '-o', 'json'])).stdout) as {
      schemas: { name: string; alias: string | null }[];
    };
    expect(list).toMatchObject({ schema: 'xds-inspect/schemas/v1' });
    const names = (await runCli(['schema', '-o', 'name'])).stdout.trim().split('\n');
    expect(names).toEqual(list.schemas.map(({ name }) => name));
    for (const { name, alias } of list.schemas) {
      for (const word of [name, alias ?? name]) expect((await runCli(['schema', word])).code, word).toBe(0);
    }
  });

  it.each([
    [['boostrap'], 'no schema "boostrap" (did you mean "bootstrap"?). List all schemas: xds-inspect schema'],
    [['clutser'], '(did you mean "cluster"?)'],
    [['envoy.config.cluster.v3.Clustr'], 'not in the xDS API (did you mean "envoy.config.cluster.v3.Cluster"?)'],
    [['x.com/acme.Widget'], 'acme.Widget is not in the xDS API'],
    [['TokenBucket', 'x'], 'unexpected argument "x" for schema'],
    [['RBAC'], '"RBAC" is ambiguous'],
    [['CDS', '-o', 'table'], '-o table is for the list: a schema is json or yaml'],
    [['\u001b[2J'], 'no schema'],
  ])('%j is a usage error that names the problem', async (words, message) => {
    const { code, stdout, stderr } = await runCli(['schema', ...words]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\u001b');
  });
});

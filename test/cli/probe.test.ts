import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { listener, scenario, startServing } from '../support/serving.js';

const LISTENER = listener('route_config: { virtual_hosts: [] }');
const PLANE = `
resources:
  a: ${LISTENER.replace('greeter', '"inventory.prod:443"')}
  b: ${LISTENER.replace('greeter', '"billing"')}
servers: { p: { serves: [{ type: LDS, version: "5", resources: [a, b] }], on: [{ request: LDS, names: [inventory], do: [{ send: { type: LDS, version: "5", resources: [] } }] }] } }
`;
const WILDCARD = / → LDS \[\] {2}\(stream 2, /;

async function explained(flags: string[], variables: Record<string, string> = {}, command = 'explain') {
  const { plane, variables: bootstrap } = await startServing(scenario(PLANE));
  const run = await runCli([command, 'inventory', '--timeout', '300ms', ...flags], { ...bootstrap, ...variables });
  return { ...run, plane: plane.stdout };
}

describe.concurrent('a listener that does not exist, over real connections', () => {
  it('is compared with the listeners that the control plane lists', async () => {
    const { plane, stdout, code } = await explained([]);
    expect(plane).toMatch(WILDCARD);
    expect(stdout).toMatch(
      /^xds:\/\/\/inventory {2}WAITING {2}no listener "inventory"; the control plane serves "inventory\.prod:443" \(and 1 more\)\n/,
    );
    expect(stdout).toContain(
      '→ Dial xds:///inventory.prod:443, or serve a listener named "inventory" to node "xds-inspect".',
    );
    expect(code).toBe(75);
    const listeners = { names: ['inventory.prod:443', 'billing'], count: 2 };
    const { stdout: json } = await explained(['-o', 'json']);
    expect(JSON.parse(json).listeners).toEqual(listeners);
    for (const command of ['status', 'report']) {
      const { stdout: other } = await explained(['-o', 'json'], {}, command);
      expect(JSON.parse(other).scopes[0].channels[0], command).toMatchObject({
        cause: { code: 'no-listener' },
        listeners,
      });
    }
  });

  it.each<[title: string, flags: string[], variables: Record<string, string>, isProbed: boolean]>([
    ['--no-probe', ['--no-probe'], {}, false],
    ['XDS_INSPECT_NO_PROBE=1', [], { XDS_INSPECT_NO_PROBE: '1' }, false],
    ['XDS_INSPECT_NO_PROBE=0', [], { XDS_INSPECT_NO_PROBE: '0' }, true],
    ['--probe despite the variable', ['--probe'], { XDS_INSPECT_NO_PROBE: '1' }, true],
  ])('is probed or not, as %s sets', async (_title, flags, variables, isProbed) => {
    const { plane } = await explained(flags, variables);
    expect(WILDCARD.test(plane)).toBe(isProbed);
  });
});

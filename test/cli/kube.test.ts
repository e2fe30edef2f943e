import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Issued, TestAuthority } from '../support/certificates.js';
import { temporaryFolder } from '../support/clean-up.js';
import { type CliRun, runCli, startCli } from '../support/cli.js';
import { startGate } from '../support/gate.js';
import { installKubectl, isRunning } from '../support/kubectl.js';
import { later, STEADY, scenario, serving } from '../support/serving.js';
import { until } from '../support/until.js';

let plane: string;
let bootstrap: { GRPC_XDS_BOOTSTRAP_CONFIG: string };
let identity: Issued;
let ca: string;

beforeAll(async () => {
  bootstrap = await serving(scenario(STEADY));
  plane = JSON.parse(bootstrap.GRPC_XDS_BOOTSTRAP_CONFIG).xds_servers[0].server_uri;
  const authority = await TestAuthority.create('the mesh');
  identity = await authority.issue({ names: ['istiod.istio-system.svc', 'istiod.own.svc', 'other.name'] });
  ca = join(temporaryFolder(), 'ca.pem');
  writeFileSync(ca, authority.pem);
});

const ISTIOD = 'istio-system/svc/istiod:15012';
const COMMON = ['--address=127.0.0.1', '--pod-running-timeout=10s'];

/** Runs a command line and ends its port-forwards, as the end of the process does. */
async function run(argv: string[], variables: Record<string, string>): Promise<CliRun & { code: number }> {
  const done = await runCli(argv, variables);
  done.exit();
  return done;
}

describe('--kube', () => {
  it('inspects a control plane through kubectl, under the name that the user typed', async () => {
    const { variables, forwards } = installKubectl({ target: plane });
    const { code, stdout, stderr } = await run(['greeter', '--kube', ISTIOD, '--plaintext', '-o', 'json'], variables);
    expect([code, stderr]).toEqual([0, '']);
    expect(forwards().map(({ argv }) => argv)).toEqual([
      ['port-forward', ...COMMON, '--namespace=istio-system', 'svc/istiod', ':15012'],
    ]);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ bootstrap: `--kube ${ISTIOD}`, verdict: 'ok' });
    expect(document.scopes[0].authorities[0].servers[0].uri).toBe(`kube:${ISTIOD}`);
    expect(stdout).not.toContain('127.0.0.1:');
  });

  it('passes the context, the configuration and a named port to kubectl', async () => {
    const { variables, forwards } = installKubectl({ target: plane });
    const flags = ['--kube-context', 'a b; $(x)', '--kubeconfig', '/k/c', '--plaintext'];
    await run(['greeter', '--kube', 'deployment/pilot:grpc-xds', ...flags], variables);
    expect(forwards()[0]?.argv).toEqual([
      ...['port-forward', ...COMMON, '--context=a b; $(x)', '--kubeconfig=/k/c', 'deploy/pilot', ':grpc-xds'],
    ]);
  });

  it.each<[what: string, flags: string[], namespace: string | undefined, authority: string]>([
    ['of the service', ['--kube', ISTIOD], undefined, 'istiod.istio-system.svc'],
    ['in the namespace of kubectl', ['--kube', 'svc/istiod:1'], 'own', 'istiod.own.svc'],
    ['of --authority', ['--kube', ISTIOD, '--authority', 'other.name'], undefined, 'other.name'],
  ])('verifies the certificate with the name %s', async (_, flags, namespace, authority) => {
    const gate = await startGate(plane, { identity });
    const { variables } = installKubectl({ target: gate.address, ...(namespace !== undefined && { namespace }) });
    const { code, stderr } = await run(['greeter', ...flags, '--cacert', ca], variables);
    expect([code, stderr]).toEqual([0, '']);
    expect(gate.arrivals.at(-1)?.authority).toBe(authority);
  });

  it('names the certificate if it is for no name of the service', async () => {
    const gate = await startGate(plane, { identity });
    const { variables } = installKubectl({ target: gate.address });
    const { code, stdout, stderr } = await run(['greeter', '--kube', 'x/svc/istiod:1', '--cacert', ca], variables);
    expect(code).toBe(69);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('--authority istiod.istio-system.svc.');
  });

  it('starts kubectl again with the same port when it ends, and says so', async () => {
    const gate = await startGate(plane);
    const { variables, forwards } = installKubectl({ target: gate.address });
    const watch = startCli(['watch', 'greeter', '--kube', ISTIOD, '--plaintext'], variables);
    later(() => watch.exit());
    await until(() => gate.arrivals.length === 1, 'the client connects');
    process.kill(forwards()[0]?.pid as number, 'SIGUSR2');
    await until(() => gate.arrivals.length === 2, 'the client connects again');
    const ended = `--kube ${ISTIOD}: kubectl port-forward failed (exit code 1): error: lost connection to pod`;
    expect(watch.stderr).toContain(ended);
    expect(watch.stderr).toContain(`--kube ${ISTIOD}: kubectl forwards again\n`);
    const [first, second] = forwards();
    expect(first?.argv.at(-1)).toBe(':15012');
    expect(second?.argv.at(-1)).toMatch(/^\d+:15012$/);
    watch.interrupt();
    expect(await watch.done).toBe(130);
    watch.exit();
    await until(() => !isRunning(second?.pid as number), 'kubectl ends');
  });

  it('reports what kubectl says while it cannot forward', async () => {
    const { variables, forwards, behave } = installKubectl({ target: plane });
    const status = startCli(['watch', 'greeter', '--kube', ISTIOD, '--plaintext', '-o', 'ndjson'], variables);
    later(() => status.exit());
    await until(() => status.stdout.includes('"ready"') || status.stdout.includes('response'), 'the client connects');
    behave({ fails: 'Error from server (NotFound): pods "p" not found' });
    process.kill(forwards()[0]?.pid as number, 'SIGUSR2');
    await until(() => status.stdout.includes('kubectl port-forward failed'), 'the state names kubectl');
    await until(() => status.stderr.includes('pods "p" not found'), 'the second failure is reported');
    status.interrupt();
    await status.done;
  });

  it('is the cause if the port of the pod refuses connections', async () => {
    const { variables } = installKubectl({ target: '127.0.0.1:1' });
    const { code, stdout, stderr } = await run(['greeter', '--kube', ISTIOD, '--plaintext'], variables);
    expect(code).toBe(69);
    const text = (stdout + stderr).replace(/\s+/g, ' ');
    expect(text).toContain(
      `kube:${ISTIOD} cannot be reached: kubectl port-forward: error forwarding port 15012 to pod p`,
    );
    expect(text).toContain('→ Check the pod, its port and its log with kubectl.');
  });

  it('starts one kubectl for all clients of a command, and one for each command', async () => {
    const { variables, forwards } = installKubectl({ target: plane });
    const compare = run(['compare', 'greeter', '--kube', ISTIOD, '--plaintext'], variables);
    const status = run(['status', 'greeter', '--kube', ISTIOD, '--plaintext'], variables);
    expect([(await compare).code, (await status).code]).toEqual([0, 0]);
    expect(forwards()).toHaveLength(2);
  });

  it.each([
    ['status', ['greeter']],
    ['get', ['clusters']],
    ['report', ['--all']],
    ['wait', ['greeter']],
  ])('works with %s', async (command, argv) => {
    const { variables, forwards } = installKubectl({ target: plane });
    const { code, stderr } = await run([command, ...argv, '--kube', ISTIOD, '--plaintext'], variables);
    expect([code, stderr, forwards().length]).toEqual([0, '', 1]);
  });

  it('is a setting of contexts, also from XDS_INSPECT_KUBE, and the command line overrides both', async () => {
    const { variables, forwards } = installKubectl({ target: plane });
    const file = join(temporaryFolder(), 'c.yaml');
    const settings = `kube: ${ISTIOD}, kube_context: prod, kubeconfig: k.yaml, plaintext: true, targets: [greeter]`;
    writeFileSync(file, `contexts: { mesh: { ${settings} } }`);
    const own = { ...variables, XDS_INSPECT_CONFIG: file };
    expect((await run(['status', '--context', 'mesh'], own)).code).toBe(0);
    const { argv } = forwards()[0] ?? {};
    expect(argv).toContain('--context=prod');
    expect(argv).toContain(`--kubeconfig=${join(file, '../k.yaml')}`);
    const byVariable = { ...variables, XDS_INSPECT_KUBE: 'svc/other:1', XDS_INSPECT_PLAINTEXT: 'true' };
    expect((await run(['status', 'greeter'], byVariable)).code).toBe(0);
    expect(forwards().at(-1)?.argv.slice(-2)).toEqual(['svc/other', ':1']);
    expect((await run(['status', 'greeter', '--server', plane], byVariable)).code).toBe(0);
    const both = await run(['status', 'greeter', '--context', 'mesh', '--kube', 'svc/a:1'], own);
    expect([both.code, both.stderr]).toEqual([64, expect.stringContaining('--context excludes --kube')]);
    expect(forwards()).toHaveLength(2);
  });
});

describe('csds --kube', () => {
  async function csdsAddress(): Promise<string> {
    const watch = startCli(['watch', 'greeter', '--csds-port', '0'], bootstrap);
    later(watch.interrupt);
    await until(() => watch.stderr.includes('CSDS on '), 'CSDS is served');
    // Its status is read when it is complete.
    await until(() => watch.stdout.includes('config'), 'the configuration is complete');
    return /CSDS on (\S+:\d+)/.exec(watch.stderr)?.[1] as string;
  }

  it('reads processes in Kubernetes, by the flag and as addresses', async () => {
    const { variables, forwards } = installKubectl({ target: await csdsAddress() });
    const argv = ['csds', '--kube', 'demo/pod/a:1', '--kube', 'demo/pod/b:1', '--plaintext', '--kube-context', 'k'];
    const { code, stdout, stderr } = await run([...argv, 'kube:demo/pod/c:grpc', '-o', 'json'], variables);
    expect([code, stderr]).toEqual([0, '']);
    const addresses = JSON.parse(stdout).processes ?? JSON.parse(stdout).scopes;
    for (const name of ['a:1', 'b:1', 'c:grpc']) expect(JSON.stringify(addresses)).toContain(`kube:demo/pod/${name}`);
    expect(forwards().every((one) => one.argv.includes('--context=k'))).toBe(true);
    expect(forwards()).toHaveLength(3);
  });

  it('reports a process that cannot be reached, beside the others', async () => {
    const { variables } = installKubectl({ fails: 'Error from server (NotFound): pods "gone" not found' });
    const argv = ['csds', '--kube', 'demo/pod/gone:1', await csdsAddress(), '--plaintext'];
    const { code, stdout, stderr } = await run(argv, variables);
    expect(code).toBe(69);
    expect(stdout).toContain('greeter');
    expect(stderr).toContain('pods "gone" not found (check the namespace and the name)');
  });

  it.each<[argv: string[], message: string]>([
    [['kube:pod/a'], 'invalid address "kube:pod/a": kube: takes'],
    [['h:1', '--kube-context', 'x'], '--kube-context requires --kube or an address kube:'],
    [['--kube', 'svc/x:0'], 'neither a port'],
  ])('%j is a usage error', async (argv, message) => {
    const { code, stderr } = await run(['csds', ...argv], {});
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([64, expect.stringContaining(message)]);
  });
});

describe('a port-forward that cannot start', () => {
  const start = (variables: Record<string, string>, ...flags: string[]) =>
    run(['status', 'greeter', '--kube', ISTIOD, ...flags], variables);

  it.each<[what: string, fails: string, advice: string]>([
    [
      'the permission is missing',
      'Error from server (Forbidden): services "istiod" is forbidden: User "me" cannot get resource',
      'create on pods/portforward',
    ],
    ['the context does not exist', 'error: context "nope" does not exist', 'kubectl config get-contexts'],
    [
      'the service does not exist',
      'Error from server (NotFound): services "x" not found',
      'the namespace and the name',
    ],
    ['the port does not exist', 'error: Service istiod does not have a service port 1', 'check the port'],
    ['there is no cluster', 'The connection to the server localhost:8080 was refused', 'set --kubeconfig'],
    ['no pod runs', 'error: unable to forward port because pod is not running. Current status=Pending', 'get pods'],
  ])('is exit code 69 with what to do if %s', async (_, fails, advice) => {
    const { variables } = installKubectl({ fails: `E1119 14:48:01.242694    3949 memcache.go:265] noise\n${fails}` });
    const { code, stdout, stderr } = await start(variables);
    expect([code, stdout]).toEqual([69, '']);
    expect(stderr).toContain(`--kube ${ISTIOD}: kubectl port-forward failed (exit code 1): ${fails} (`);
    expect(stderr).toContain(advice);
    expect(stderr).not.toContain('memcache');
  });

  it('says so if there is no kubectl', async () => {
    const { code, stderr } = await start({ PATH: temporaryFolder() });
    expect([code, stderr]).toEqual([69, expect.stringContaining('there is no kubectl in PATH: install it')]);
  });

  it('ends at the time limit, and ends kubectl', async () => {
    const { variables, forwards } = installKubectl({ hangs: true });
    const { code, stderr } = await start(variables, '--timeout', '2s');
    expect([code, stderr]).toEqual([69, expect.stringContaining('has not opened a port within 2.0 s')]);
    await until(() => forwards().every(({ pid }) => !isRunning(pid)), 'kubectl ends');
  });

  it('escapes control characters of kubectl', async () => {
    const { variables } = installKubectl({ fails: 'error: \u001b[2Jx\u202e' });
    const { stderr } = await start(variables);
    expect(stderr).toContain('\\u{1b}[2Jx\\u{202e}');
  });

  it.each<[flags: string[], message: string]>([
    [['--kube', 'istiod:1'], 'does not have this form'],
    [['--kube', 'svc/istiod'], 'the port is missing'],
    [['--kube', 'a/b/svc/istiod:1'], 'does not have this form'],
    [['--kube', 'job/istiod:1'], '"job" is none of svc, pod and deploy'],
    [['--kube', 'svc/-x:1'], '"-x" is not the name of an object'],
    [['--kube=-n/svc/x:1'], '"-n" is not a namespace'],
    [['--kube', 'svc/x:65536'], 'neither a port from 1 to 65535'],
    [['--kube', 'svc/x:-1'], 'neither a port'],
    [['--kube', 'svc/x:1', '--kube-context=-x'], '--kube-context takes a name that does not begin with -'],
    [['--kube', 'svc/x:1', '--kubeconfig='], '--kubeconfig is empty'],
    [['--kube', 'constructor/x:1'], '"constructor" is none of'],
  ])('%j is a usage error', async (flags, message) => {
    const { code, stderr } = await run(['status', 'greeter', ...flags, '--plaintext'], { PATH: '/none' });
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([64, expect.stringContaining(message)]);
  });
});

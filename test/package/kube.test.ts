import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { later } from '../support/clean-up.js';
import { installKubectl, isRunning, type Kubectl } from '../support/kubectl.js';
import { ROOT } from '../support/root.js';
import { STEADY, scenario, serving } from '../support/serving.js';
import { until } from '../support/until.js';

let plane: string;

beforeAll(async () => {
  const { GRPC_XDS_BOOTSTRAP_CONFIG: config } = await serving(scenario(STEADY));
  plane = JSON.parse(config).xds_servers[0].server_uri;
});

/** Runs the built command, whose kubectl is the stand-in. */
function start(kubectl: Kubectl, ...argv: string[]): { child: ChildProcess; end: Promise<unknown> } {
  const words = [join(ROOT, 'bin/xds-inspect.js'), ...argv, 'greeter', '--kube', 'demo/pod/plane:1', '--plaintext'];
  const child = spawn(process.execPath, words, { env: kubectl.variables, stdio: ['ignore', 'pipe', 'ignore'] });
  later(() => child.kill('SIGKILL'));
  child.stdout?.resume();
  return { child, end: new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal))) };
}

describe.concurrent('kubectl ends with the command', () => {
  it('that has finished', async () => {
    const kubectl = installKubectl({ target: plane });
    expect(await start(kubectl, 'status').end).toBe(0);
    await until(() => !isRunning(kubectl.forwards()[0]?.pid as number), 'kubectl ends');
  });

  it.each<[signal: NodeJS.Signals, ends: unknown]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGKILL', 'SIGKILL'],
    ['SIGABRT', 'SIGABRT'],
  ])('that %s ends', async (signal, ends) => {
    const kubectl = installKubectl({ target: plane });
    const { child, end } = start(kubectl, 'watch');
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
    });
    await until(() => output.includes('greeter-blue'), 'the command has received resources');
    const pid = kubectl.forwards()[0]?.pid as number;
    expect(isRunning(pid)).toBe(true);
    child.kill(signal);
    expect(await end).toBe(ends);
    await until(() => !isRunning(pid), 'kubectl ends');
  });

  it.each<NodeJS.Signals>(['SIGINT', 'SIGKILL'])('that %s ends before a port is open', async (signal) => {
    const kubectl = installKubectl({ hangs: true });
    const { child, end } = start(kubectl, 'status');
    await until(() => kubectl.forwards().length === 1, 'kubectl runs');
    child.kill(signal);
    expect(await end).toBe(signal === 'SIGINT' ? 130 : signal);
    await until(() => !isRunning(kubectl.forwards()[0]?.pid as number), 'kubectl ends');
  });
});

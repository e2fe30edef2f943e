import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { temporaryFolder } from './clean-up.js';

/** What the stand-in does the next time it is started. */
export interface KubectlBehaviour {
  /** `host:port` that ports are forwarded to. */
  target?: string;
  /** The namespace of the kubectl context. */
  namespace?: string;
  /** Ends with this text on stderr and exit code 1. */
  fails?: string;
  /** Never opens a port. */
  hangs?: boolean;
}

/** A run of the stand-in. */
interface KubectlRun {
  argv: string[];
  pid: number;
}

export interface Kubectl {
  /** Variables with a PATH on which the stand-in is the first kubectl. */
  variables: Record<string, string>;
  behave(behaviour: KubectlBehaviour): void;
  /** The port-forwards that were started. */
  forwards(): KubectlRun[];
  runs(): KubectlRun[];
}

/** A program with the output of `kubectl port-forward`, and a TCP proxy on loopback. SIGUSR2: it loses its pod. */
const PROGRAM = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const { join } = require('node:path');
const argv = process.argv.slice(2);
const { target, namespace = '', fails, hangs } = JSON.parse(readFileSync(join(__dirname, 'behaviour.json'), 'utf8'));
appendFileSync(join(__dirname, 'runs.ndjson'), JSON.stringify({ argv, pid: process.pid }) + '\\n');
const fail = (text) => {
  process.stderr.write(text + '\\n', () => process.exit(1));
};
if (argv[0] === 'config') process.stdout.write(namespace);
else if (fails !== undefined) fail(fails);
else if (hangs) setInterval(() => {}, 1000);
else {
  const [local, remote] = argv.at(-1).split(':');
  const [host, port] = target.split(':');
  const server = createServer((near) => {
    process.stdout.write('Handling connection for ' + server.address().port + '\\n');
    const far = connect(Number(port), host);
    near.pipe(far).pipe(near);
    const broken = () => process.stderr.write('E0101 00:00:00.000000    1 portforward.go:413] error forwarding port ' + remote + ' to pod p\\n');
    far.on('error', broken).on('close', () => near.destroy());
    near.on('error', () => {}).on('close', () => far.destroy());
  });
  server.on('error', ({ message }) => fail('error: unable to listen on any of the requested ports: ' + message));
  server.listen(Number(local), '127.0.0.1', () => {
    process.stdout.write('Forwarding from 127.0.0.1:' + server.address().port + ' -> ' + remote + '\\n');
  });
  process.on('SIGUSR2', () => fail('error: lost connection to pod'));
}
`;

/** Installs the stand-in in a new folder. */
export function installKubectl(behaviour: KubectlBehaviour): Kubectl {
  const folder = temporaryFolder();
  const path = join(folder, 'kubectl');
  writeFileSync(path, PROGRAM);
  chmodSync(path, 0o755);
  const behave = (next: KubectlBehaviour): void => writeFileSync(join(folder, 'behaviour.json'), JSON.stringify(next));
  behave(behaviour);
  const runs = (): KubectlRun[] => {
    const log = join(folder, 'runs.ndjson');
    if (!existsSync(log)) return [];
    return readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  return {
    variables: { PATH: [folder, dirname(process.execPath)].join(delimiter) },
    behave,
    runs,
    forwards: () => runs().filter(({ argv }) => argv[0] === 'port-forward'),
  };
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

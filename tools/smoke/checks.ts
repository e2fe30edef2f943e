import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, type Program, type Running, run, start } from './program.ts';

/** A command line, and what it must do. */
interface Check {
  title: string;
  argv: readonly string[];
  code: number;
  prints: RegExp;
  /** What it says on stderr. */
  says?: RegExp;
  variables?: Readonly<Record<string, string>>;
}

const BOOTSTRAP = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
const CLUSTER = { '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster', name: 'a' };
const VALID = { ...CLUSTER, type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

const FILES = {
  'bootstrap.json': BOOTSTRAP,
  'no-servers.json': '{"xds_servers":[]}',
  'valid.json': JSON.stringify(VALID),
  'invalid.json': JSON.stringify({ ...VALID, type: 'STATIC' }),
  'met.yaml': 'targets: [{ target: xds:///checkout, verdict: ok }]',
  'unmet.yaml': 'targets: [{ target: xds:///checkout, verdict: fails }]',
};

const ALONE: readonly Check[] = [
  { title: 'names its version', argv: ['--version', '-v'], code: 0, prints: /^\d+\.\d+\.\d+[\s\S]*C-core/ },
  {
    title: 'accepts a bootstrap',
    argv: ['bootstrap', 'validate', 'bootstrap.json'],
    code: 0,
    prints: /^accepted: /m,
  },
  {
    title: 'rejects a bootstrap',
    argv: ['bootstrap', 'validate', 'no-servers.json'],
    code: 65,
    prints: /xds_servers: must be non-empty/,
  },
  { title: 'accepts a resource', argv: ['validate', 'valid.json'], code: 0, prints: /1 ACK/ },
  { title: 'rejects a resource', argv: ['validate', 'invalid.json'], code: 79, prints: /1 NACK/ },
  { title: 'prints a schema', argv: ['schema', 'bootstrap'], code: 0, prints: /^\{\n {2}"\$schema"/ },
  { title: 'prints its manual', argv: ['docs', 'XI204'], code: 0, prints: /^# XI204: / },
  {
    // By the exit code of the process that would run kubectl.
    title: 'starts a process for kubectl',
    argv: ['a', '--kube', 'demo/svc/plane:1', '--plaintext'],
    variables: { PATH: '/nowhere' },
    code: 69,
    prints: /^$/,
    says: /there is no kubectl in PATH/,
  },
  { title: 'runs the demo', argv: ['demo'], code: 0, prints: /7 of 7[\s\S]*Next:/ },
];

const CONNECTED: readonly Check[] = [
  { title: 'reports on a control plane', argv: ['checkout'], code: 0, prints: /^xds:\/\/\/checkout {2}OK\b/ },
  {
    title: 'writes a report page',
    argv: ['checkout', '-o', 'html'],
    code: 0,
    prints: /^<!doctype html>[\s\S]*<\/html>\n$/,
  },
  { title: 'checks what is met', argv: ['check', 'met.yaml'], code: 0, prints: /xds:\/\/\/checkout/ },
  { title: 'checks what is not met', argv: ['check', 'unmet.yaml'], code: 79, prints: /xds:\/\/\/checkout/ },
];

/** The result of a check. */
export interface Result {
  title: string;
  /** Undefined if it passed. */
  failure: string | undefined;
}

/** Runs the commands that a new user tries first, those that need a control plane on `serve`. */
export async function checkProgram(program: Program): Promise<Result[]> {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(program.folder, name), text);
  const results: Result[] = [];
  for (const check of ALONE) results.push(await checkOne(program, check));
  const plane = start(program, ['serve', 'healthy', '--port', '0']);
  try {
    const config = await servedBootstrap(plane);
    if (config === undefined) return [...results, failed('serves a scenario', await plane.ended)];
    for (const check of CONNECTED) results.push(await checkOne(program, check, { GRPC_XDS_BOOTSTRAP_CONFIG: config }));
  } finally {
    plane.child.kill('SIGINT');
  }
  const ended = await plane.ended;
  return [...results, ended.code === 130 ? passed('stops on Ctrl-C') : failed('stops on Ctrl-C', ended)];
}

async function checkOne(program: Program, check: Check, variables = {}): Promise<Result> {
  const { title, argv, code, prints, says = /^/ } = check;
  const ended = await run(program, argv, { ...variables, ...check.variables });
  const isMet = ended.code === code && prints.test(ended.stdout) && says.test(ended.stderr);
  return isMet ? passed(title) : failed(title, ended);
}

/** The bootstrap that `serve` prints. Undefined if it ends before. */
async function servedBootstrap(plane: Running): Promise<string | undefined> {
  const isOver = plane.ended.then(() => true);
  while (!plane.stderr.includes('Stop with Ctrl-C')) {
    const more = new Promise<boolean>((resolve) => plane.child.stderr?.once('data', () => resolve(false)));
    if (await Promise.race([isOver, more])) return undefined;
  }
  return /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(plane.stderr)?.[1];
}

function passed(title: string): Result {
  return { title, failure: undefined };
}

function failed(title: string, { code, stdout, stderr }: Ended): Result {
  return { title, failure: `exit code ${code}\n${stdout.slice(-2000)}${stderr.slice(-2000)}` };
}

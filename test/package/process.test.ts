import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';
import { ROOT } from '../support/root.js';
import { later, STORY, serving } from '../support/serving.js';
import { TerminalModel } from '../support/terminal.js';
import { until } from '../support/until.js';

const PROGRAM = join(ROOT, 'bin/xds-inspect.js');
const FULL = '/dev/full';

let variables: Record<string, string>;
let folder: string;
let wrong: string;
beforeAll(async () => {
  variables = { PATH: process.env.PATH ?? '', ...(await serving(STORY)) };
  folder = temporaryFolder();
  wrong = join(folder, 'expectations.yaml');
  writeFileSync(wrong, 'targets: [{ target: xds:///greeter, verdict: fails }]');
});

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Run {
  child: Child;
  stdout: string;
  stderr: string;
  code: Promise<number | null>;
}

/** Starts the built program. `node` are arguments of Node. */
function start(argv: readonly string[], { node = [], stdio = ['ignore', 'pipe', 'pipe'] }: StartOptions = {}): Run {
  const child = spawn(process.execPath, [...node, PROGRAM, ...argv], { env: variables, stdio }) as Child;
  later(() => child.kill('SIGKILL'));
  const run: Run = { child, stdout: '', stderr: '', code: new Promise((resolve) => child.on('close', resolve)) };
  child.stdout?.on('data', (text) => {
    run.stdout += text;
  });
  child.stderr?.on('data', (text) => {
    run.stderr += text;
  });
  return run;
}

interface StartOptions {
  node?: readonly string[];
  stdio?: ('ignore' | 'pipe' | number)[];
}

/** Opens a file for a child process. */
function opened(path: string): number {
  const file = openSync(path, 'w');
  later(() => closeSync(file));
  return file;
}

describe.concurrent('a process that cannot write to stderr', () => {
  const commands: [argv: () => string[], code: number, data: RegExp][] = [
    [() => ['check', wrong, '-v', '-o', 'tap'], 79, /^not ok 1 /m],
    [() => ['status', 'greeter', '-v', '-o', 'name'], 0, /^EDS\/greeter-blue\n/m],
    [() => ['status', 'nobody', '-v', '-o', 'name', '--timeout', '300ms'], 75, /^LDS\/nobody\n$/],
    [() => ['status', 'greeter', '--no-such-flag'], 64, /^$/],
    [() => ['replay', 'no-such-file'], 65, /^$/],
  ];
  const losses: [how: string, run: (argv: string[]) => Run][] = [
    [
      'a closed pipe',
      (argv) => {
        const run = start(argv);
        run.child.stderr.destroy();
        return run;
      },
    ],
    ['a full disk', (argv) => start(argv, { stdio: ['ignore', 'pipe', opened(FULL)] })],
    ['a closed file', (argv) => shell(`exec ${quoted([process.execPath, PROGRAM, ...argv])} 2>&-`)],
  ];
  it.runIf(existsSync(FULL)).each(losses)('prints its data and exits with its code: %s', async (_, lose) => {
    for (const [argv, code, data] of commands) {
      const run = lose(argv());
      expect(await run.code, argv().join(' ')).toBe(code);
      expect(run.stdout, argv().join(' ')).toMatch(data);
    }
  });
});

function shell(line: string): Run {
  const child = spawn('sh', ['-c', line], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const run: Run = { child, stdout: '', stderr: '', code: new Promise((resolve) => child.on('close', resolve)) };
  child.stdout.on('data', (text) => {
    run.stdout += text;
  });
  child.stderr.on('data', (text) => {
    run.stderr += text;
  });
  return run;
}

function quoted(argv: readonly string[]): string {
  return argv.map((word) => `'${word}'`).join(' ');
}

describe.concurrent('a process that cannot write to stdout', () => {
  it.runIf(existsSync(FULL))('exits with 69 and names the reason if the disk is full', async () => {
    for (const argv of [['status', 'greeter'], ['check', wrong], ['watch', 'greeter'], ['--help']]) {
      const run = start(argv, { stdio: ['ignore', opened(FULL), 'pipe'] });
      expect(await run.code, argv.join(' ')).toBe(69);
      expect(run.stderr).toContain('output cannot be written: ENOSPC');
    }
  });

  it('exits with the code of the command if the reader has closed the pipe at its end, and with 0 before', async () => {
    const end = start(['check', wrong]);
    end.child.stdout.destroy();
    expect(await end.code).toBe(79);
    const before = start(['watch', 'greeter']);
    before.child.stdout.destroy();
    expect([await before.code, before.stderr]).toEqual([0, '']);
  });
});

/** A bug in a callback of Node, which no command can catch. */
const BUG = "process.on('SIGUSR2', () => { throw new Error('injected') })";

describe.concurrent('a process with --record', () => {
  const ends: Record<string, { code: number; end(run: Run): void }> = {
    SIGHUP: { code: 129, end: ({ child }) => child.kill('SIGHUP') },
    SIGTERM: { code: 143, end: ({ child }) => child.kill('SIGTERM') },
    SIGINT: { code: 130, end: ({ child }) => child.kill('SIGINT') },
    'two SIGINT': { code: 130, end: ({ child }) => child.kill('SIGINT') && child.kill('SIGINT') },
    'a bug': { code: 1, end: ({ child }) => child.kill('SIGUSR2') },
  };
  const cases = Object.keys(ends).flatMap((how) => ['r.xdsrec', 'r.xdsrec.gz'].map((name) => ({ how, name })));
  it.each(cases)('leaves a complete recording after $how: $name', async ({ how, name }) => {
    const path = join(temporaryFolder(), name);
    const preload = join(folder, `bug-${name}.cjs`);
    writeFileSync(preload, BUG);
    const run = start(['watch', 'greeter', '-o', 'ndjson', '--record', path], { node: ['-r', preload] });
    await until(() => run.stdout.includes('"kind":"config"'), 'a configuration is published');
    ends[how]?.end(run);
    expect(await run.code).toBe(ends[how]?.code);
    if (how === 'a bug') expect(run.stderr).toMatch(/^xds-inspect: this is a bug in xds-inspect .*\nError: injected\n/);
    const { stdout, stderr, code } = await runCli(['replay', path, 'watch', '-o', 'ndjson']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"kind":"config"');
    expect(run.stdout.startsWith(stdout)).toBe(true);
  });

  it.each(['r.xdsrec', 'r.xdsrec.gz'])(
    'leaves a complete recording when the reader closes the pipe: %s',
    async (name) => {
      const path = join(temporaryFolder(), name);
      const run = start(['watch', 'greeter', '-o', 'ndjson', '--record', path]);
      run.child.stdout.destroy();
      expect(await run.code).toBe(0);
      const { stdout, stderr } = await runCli(['replay', path, 'watch', '-o', 'ndjson', '--fail-on', 'none']);
      expect(stderr).not.toContain('xdsrec');
      expect(stdout.length).toBeGreaterThan(0);
    },
  );

  it('has the header in the file before the first event', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const run = start(['watch', 'greeter', '-o', 'ndjson', '--record', path]);
    await until(() => run.stdout !== '', 'the first event is printed');
    expect(readFileSync(path, 'utf8')).toContain('{"schema":"xds-inspect/recording/v1"');
    run.child.kill('SIGKILL');
    await run.code;
  });
});

/** Whether a process has opened a named pipe for reading. */
function isOpened(path: string): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    later(() => closeSync(file));
    return true;
  } catch {
    return false;
  }
}

describe.concurrent('a process that reads a pipe', () => {
  const commands: Record<string, (path: string) => string[]> = {
    bootstrap: (path) => ['status', 'greeter', '--bootstrap', path],
    'bootstrap of validate': (path) => ['bootstrap', 'validate', path],
    resources: (path) => ['validate', path],
    expectations: (path) => ['check', path],
    scenario: (path) => ['serve', path],
    'descriptor set': (path) => ['get', 'LDS', '--descriptor-set', path],
  };
  it.each(Object.keys(commands))('ends on Ctrl-C before the writer has written: %s', async (name) => {
    const path = join(temporaryFolder(), 'pipe');
    spawnSync('mkfifo', [path]);
    const run = start(commands[name]?.(path) ?? []);
    await until(() => isOpened(path), 'the pipe is opened');
    run.child.kill('SIGINT');
    expect(await run.code).toBe(130);
  });

  it('reads the output of a command in bash', async () => {
    const child = spawnSync('bash', [
      '-c',
      `"$0" "$1" bootstrap validate <(echo '{"xds_servers":[]}')`,
      process.execPath,
      PROGRAM,
    ]);
    expect([child.status, child.stdout.toString()]).toEqual([65, expect.stringContaining('xds_servers')]);
  });
});

/** Runs a command on a new terminal, does something when its output contains a text, and prints its output as JSON. */
const PTY = `
import json, os, pty, select, signal, sys
action, marker = sys.argv[1], sys.argv[2].encode()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
output, done = b'', False
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    output += data
    if marker in output and not done:
        done = True
        if action == 'hangup':
            os.close(terminal)
            break
        os.kill(pid, getattr(signal, action))
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({'status': status, 'output': output.decode('utf8', 'replace')}))
`;

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

describe.runIf(hasPython).concurrent('a live screen on a real terminal', () => {
  const onTerminal = async (action: string, argv: readonly string[], node: readonly string[] = []) => {
    const command = [process.execPath, ...node, PROGRAM, ...argv];
    const child = spawn('python3', ['-c', PTY, action, 'EDS   greeter-blue', ...command], {
      env: { ...variables, TERM: 'xterm' },
    });
    later(() => child.kill('SIGKILL'));
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
    });
    let errors = '';
    child.stderr.on('data', (data) => {
      errors += data;
    });
    await new Promise((resolve) => child.on('close', resolve));
    if (text === '') throw new Error(errors);
    return JSON.parse(text) as { status: number; output: string };
  };

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGUSR2', 1],
  ])('restores the terminal after %s, keeps the recording and exits with %i', async (signal, code) => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const preload = join(folder, `terminal-${signal}.cjs`);
    writeFileSync(preload, BUG);
    const argv = ['watch', 'greeter', '--color', 'never', '--record', path];
    const { status, output } = await onTerminal(signal, argv, ['-r', preload]);
    expect(status).toBe(code);
    const screen = new TerminalModel({ columns: 80, rows: 24 });
    screen.write(output);
    expect(screen.modes).toEqual(new Set(['25', '7']));
    if (code === 1) expect(screen.text).toContain('Error: injected');
    else expect(screen.text).toMatch(new RegExp(`EDS   greeter-blue[\\s\\S]*\\nexit ${code}: interrupted$`));
    expect(readFileSync(path, 'utf8')).toMatch(/"kind":"end","reason":"closed"\}\n$/);
  });

  it('exits with 129 and keeps the recording when the terminal is closed', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const { status } = await onTerminal('hangup', ['watch', 'greeter', '--record', path]);
    // A shell reports 129 for a process that SIGHUP ended.
    expect([-1, 129]).toContain(status);
    expect(readFileSync(path, 'utf8')).toMatch(/"kind":"end","reason":"closed"\}\n$/);
  });
});

import { join } from 'node:path';
import { bundled } from '../bundle.ts';
import { Child } from '../client/child.ts';
import { LISTENER } from '../client/listener.ts';
import type { FromServer, Update } from '../client/messages.ts';
import { readArguments } from './arguments.ts';
import { Command, type Cost } from './command.ts';
import { comparisonTable, type Row } from './comparison.ts';
import { commitOf, OtherTree } from './other-tree.ts';
import { tables } from './tables.ts';

const START_UP_RUNS = 15;
const RUNS = 5;
/** Runs that fill the file cache and are not counted. */
const WARM_UP = 1;

const WATCHED_CLUSTERS = 1000;
const UPDATES = { EDS: 400, CDS: 50 } as const;

/** Compares the command line of this tree with that of another commit. Returns the exit code. */
export async function against(root: string, args: readonly string[]): Promise<number> {
  const read = readArguments(args);
  const commit = read.kind === 'ref' ? commitOf(root, read.ref) : undefined;
  if (read.kind === 'usage' || commit === undefined) {
    console.error(read.kind === 'usage' ? read.message : `no commit, branch or tag is called ${read.ref}`);
    return 64;
  }
  const tree = new OtherTree(root, commit);
  const interrupted = (): void => {
    tree.remove();
    process.exit(130);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    console.error(`building ${read.ref} (${commit.slice(0, 12)})`);
    tree.build();
    const preload = await bundled(root, 'against/report-usage');
    const server = await bundled(root, 'client/server');
    const builds = [tree.folder, root].map((folder) => new Build(folder, preload));
    const rows = [
      ...(await startUp(root, builds)),
      ...(await status(server, builds, 10)),
      ...(await status(server, builds, 10_000)),
      ...(await watch(server, builds)),
      await tables(root, [tree.folder, root]),
    ];
    console.log(comparisonTable(read.ref, rows));
    return 0;
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    tree.remove();
  }
}

class Build {
  readonly #bin: string;
  readonly #preload: string;

  constructor(folder: string, preload: string) {
    this.#bin = join(folder, 'bin/xds-inspect.js');
    this.#preload = preload;
  }

  start(...args: string[]): Command {
    return new Command(this.#preload, this.#bin, args);
  }
}

/** Measures the builds in turns, so that other load on the machine affects both equally. */
async function inTurns<T>(
  what: string,
  builds: readonly Build[],
  runs: number,
  measure: (build: Build) => Promise<T>,
): Promise<[before: T[], after: T[]]> {
  console.error(`measuring ${what}`);
  const all: [T[], T[]] = [[], []];
  for (let run = 0; run < runs + WARM_UP; run++) {
    for (const [i, build] of builds.entries()) {
      const value = await measure(build);
      if (run >= WARM_UP) all[i]?.push(value);
    }
  }
  return all;
}

async function startUp(root: string, builds: readonly Build[]): Promise<Row[]> {
  const commands = [['--help'], ['bootstrap', 'validate', join(root, 'fixtures/bootstrap/two-servers.json')]];
  const rows: Row[] = [];
  for (const args of commands) {
    const what = `start-up: \`${args.filter((word) => !word.startsWith('/')).join(' ')}\``;
    const [before, after] = await inTurns(what, builds, START_UP_RUNS, (build) => build.start(...args).cost());
    rows.push(...costs(what, before, after));
  }
  return rows;
}

async function status(server: string, builds: readonly Build[], clusters: number): Promise<Row[]> {
  const what = `\`status\`, ${clusters.toLocaleString('en')} clusters`;
  const [before, after] = await withServer(server, clusters, (_server, flags) =>
    inTurns(what, builds, RUNS, (build) => build.start('status', LISTENER, ...flags).cost()),
  );
  return costs(what, before, after);
}

async function watch(serverFile: string, builds: readonly Build[]): Promise<Row[]> {
  const clusters = WATCHED_CLUSTERS.toLocaleString('en');
  const [before, after] = await withServer(serverFile, WATCHED_CLUSTERS, (server, flags) =>
    inTurns(`\`watch\`, ${clusters} clusters`, builds, RUNS, async (build) => {
      const command = build.start('watch', LISTENER, ...flags);
      try {
        accept(await server.next());
        const perUpdate = { EDS: 0, CDS: 0 };
        for (const type of ['EDS', 'CDS'] as const) {
          const start = await command.cpuMs();
          accept(await server.ask({ type, times: UPDATES[type] } satisfies Update));
          perUpdate[type] = ((await command.cpuMs()) - start) / UPDATES[type];
        }
        return perUpdate;
      } finally {
        await command.stop();
      }
    }),
  );
  const row = (type: 'EDS' | 'CDS', content: string): Row => ({
    what: `\`watch\`, ${clusters} clusters, an update ${content}`,
    unit: 'ms of CPU',
    before: before.map((one) => one[type]),
    after: after.map((one) => one[type]),
  });
  return [row('EDS', 'of one load assignment'), row('CDS', 'of all clusters, one of them changed')];
}

/** Rows for wall time and CPU time: CPU time varies far less on a busy machine. */
function costs(what: string, before: readonly Cost[], after: readonly Cost[]): Row[] {
  const row = (unit: string, of: (cost: Cost) => number): Row => ({
    what,
    unit,
    before: before.map(of),
    after: after.map(of),
  });
  return [row('ms', ({ wallMs }) => wallMs), row('ms of CPU', ({ cpuMs }) => cpuMs)];
}

async function withServer<T>(
  file: string,
  clusters: number,
  use: (server: Child<FromServer>, flags: readonly string[]) => Promise<T>,
): Promise<T> {
  const server = new Child<FromServer>(file, [String(clusters)]);
  try {
    const listening = await server.next();
    if (listening.kind !== 'listening') throw new Error('the server does not listen');
    return await use(server, ['--server', `127.0.0.1:${listening.port}`, '--plaintext']);
  } finally {
    await server.end();
  }
}

function accept(message: FromServer): void {
  if (message.kind !== 'acknowledged') throw new Error(`the client did not ACK: ${JSON.stringify(message)}`);
}

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, startCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';
import { until } from './eventually.js';

/** `xds-inspect serve` with a folder of files that a test writes. */
export class ServedFolder {
  readonly bootstrap: string;
  readonly port: number;
  run: CliRun;
  readonly #folder: string;

  private constructor(folder: string, run: CliRun) {
    this.#folder = folder;
    this.run = run;
    this.bootstrap = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(run.stderr)?.[1] as string;
    this.port = Number(/:(\d+)"/.exec(this.bootstrap)?.[1]);
  }

  static async start(files: Record<string, unknown>): Promise<ServedFolder> {
    const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-served-'));
    later(() => rmSync(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) put(folder, name, content);
    return new ServedFolder(folder, await serve(folder, 0));
  }

  /** Replaces a file atomically, as deployments do. */
  write(name: string, content: unknown): void {
    put(this.#folder, name, content);
  }

  /** Ends the process: its connections break. */
  async stop(): Promise<void> {
    this.run.interrupt();
    await this.run.done;
  }

  /** Starts it again on the same port. */
  async restart(): Promise<void> {
    this.run = await serve(this.#folder, this.port);
  }
}

async function serve(folder: string, port: number): Promise<CliRun> {
  const run = startCli(['serve', folder, '--port', String(port)]);
  later(run.interrupt);
  await until(() => run.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  return run;
}

function put(folder: string, name: string, content: unknown): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}

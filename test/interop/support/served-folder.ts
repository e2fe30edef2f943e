import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, startCli, until } from '../../support/cli.js';
import { later } from '../../support/serving.js';

/** `xds-inspect serve` on a folder of files that a test writes. */
export class ServedFolder {
  readonly bootstrap: string;
  readonly run: CliRun;
  readonly #folder: string;

  private constructor(folder: string, run: CliRun, bootstrap: string) {
    this.#folder = folder;
    this.run = run;
    this.bootstrap = bootstrap;
  }

  static async start(files: Record<string, unknown>): Promise<ServedFolder> {
    const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-served-'));
    later(() => rmSync(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) put(folder, name, content);
    const run = startCli(['serve', folder, '--port', '0']);
    later(run.interrupt);
    await until(() => run.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const bootstrap = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(run.stderr)?.[1] as string;
    return new ServedFolder(folder, run, bootstrap);
  }

  /** Replaces a file as a whole, as deployments do. */
  write(name: string, content: unknown): void {
    put(this.#folder, name, content);
  }
}

function put(folder: string, name: string, content: unknown): void {
  const path = join(folder, name);
  writeFileSync(`${path}.new`, JSON.stringify(content));
  renameSync(`${path}.new`, path);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LISTENER } from '../client/listener.ts';
import type { Plane } from './plane.ts';
import { ProcessMeter } from './process-meter.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

const WINDOW_MS = 300;
const PATIENCE_MS = 60_000;

/** `xds-inspect watch` with its output in a pipe, line by line. */
export class Watching {
  readonly meter: ProcessMeter;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.meter = new ProcessMeter(child.pid);
  }

  /** Returns when every resource has arrived. */
  static async start(
    root: string,
    plane: Plane,
    onLine: (line: string) => void,
    { node = [], watch = [] }: { node?: string[]; watch?: string[] } = {},
  ): Promise<Watching> {
    const args = [...node, join(root, 'bin/xds-inspect.js'), 'watch', LISTENER, ...watch];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, GRPC_XDS_BOOTSTRAP_CONFIG: plane.bootstrap },
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', onLine);
    const watching = new Watching(child);
    await waitUntilIdle(plane, watching.meter, WINDOW_MS, PATIENCE_MS);
    return watching;
  }

  /** Requests a report from the module that is preloaded into the process. */
  ask<Report>(): Promise<Report> {
    return new Promise((resolve) => {
      this.#child.once('message', (report) => resolve(report as Report));
      this.#child.send({});
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }
}

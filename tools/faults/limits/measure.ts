import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { any, field, response, type Shape, typeUrl, VALID } from './shapes.js';

const CLI = fileURLToPath(new URL('../../../bin/xds-inspect.js', import.meta.url));
const SERVER = fileURLToPath(new URL('server.mts', import.meta.url));

interface Usage {
  /** The largest resident set, in MB. */
  peakMb: number;
  seconds: number;
  /** The exit code, or the signal that ended the process. */
  end: string;
  /** Bytes on stdout and stderr. */
  output: number;
}

/** Writes the peak memory at the end of the process. */
const HOOK = `process.on('exit',()=>require('node:fs').writeFileSync(process.env.PEAK_FILE,String(process.resourceUsage().maxRSS)))`;

/** Runs the built command and measures its peak memory. */
export async function measure(args: readonly string[], limitMs = 120_000, heapMb = 3500): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  const peakFile = join(folder, 'peak');
  writeFileSync(join(folder, 'hook.cjs'), HOOK);
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMb}`, '--require', join(folder, 'hook.cjs'), CLI, ...args],
    { env: { ...process.env, PEAK_FILE: peakFile }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [output, high] = [0, 0];
  const count = (data: Buffer): void => {
    output += data.length;
  };
  child.stdout.on('data', count);
  child.stderr.on('data', count);
  const poll = setInterval(() => {
    high = Math.max(high, peakOf(child));
  }, 50);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearInterval(poll);
  clearTimeout(limit);
  if (existsSync(peakFile)) high = Math.max(high, Number(readFileSync(peakFile, 'utf8')) * 1024);
  rmSync(folder, { recursive: true });
  return {
    peakMb: Math.round(high / 1e6),
    seconds: Math.round((performance.now() - start) / 100) / 10,
    end: signal ?? String(code),
    output,
  };
}

/** The peak that Linux reports for a running process: the only source if it is aborted. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Serves a hostile response and the valid resources that lead to it. */
export async function serveShape(shape: Shape, size: number): Promise<{ uri: string; folder: string; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  const files = Object.entries(VALID).map(([key, valid]) => {
    const type = key as Shape['type'];
    const file = join(folder, `${type}.binpb`);
    const bytes = type === shape.type ? shape.response(size) : response(type, field(2, any(typeUrl(type), valid)));
    writeFileSync(file, bytes);
    return `${type}=${file}`;
  });
  const child = spawn(process.execPath, ['--import', 'tsx', SERVER, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [uri] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    uri,
    folder,
    close: () => {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

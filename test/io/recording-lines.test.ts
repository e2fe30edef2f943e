import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recordingFile } from '../../src/io/recording-lines.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';

const MIB = 1024 * 1024;

/** Reads all lines of a file. Returns their number and bytes, and how the reading ended. */
async function readAll(contents: Buffer) {
  const path = join(temporaryFolder(), 'r.xdsrec.gz');
  writeFileSync(path, contents);
  let lines = 0;
  let bytes = 0;
  const end = await recordingFile(path).readLines((line) => {
    lines++;
    bytes += line.length + 1;
    return true;
  });
  return { path, lines, bytes, end };
}

/** A gzip file of several members, as the recorder writes it. */
function repeated(text: string, bytes: number): Buffer {
  const part = Buffer.alloc(16 * MIB, text);
  return Buffer.concat(Array(bytes / part.length).fill(gzipSync(part)));
}

describe('a compressed recording that expands without bounds', () => {
  it('is read up to its thousandth empty line', async () => {
    const { path, end, lines } = await readAll(repeated('\n', 256 * MIB));
    expect([end, lines]).toEqual([{ kind: 'cut', what: 'it has more than 1000 empty lines' }, 0]);
    const { code, stderr } = await runCli(['replay', path]);
    expect([code, stderr]).toEqual([
      65,
      `xds-inspect: ${path} cannot be replayed: it has more than 1000 empty lines\n`,
    ]);
  });

  it.each([
    ['short lines', '{"at":1,"kind":"tick"}\n'],
    ['one long line', ' '],
  ])('is read up to 200 times its size: %s', async (_, text) => {
    const contents = repeated(text, 64 * MIB);
    const { end, bytes } = await readAll(contents);
    expect(end).toEqual({ kind: 'cut', what: 'it expands to more than 200 times its size' });
    expect(bytes).toBeLessThanOrEqual(200 * contents.length + MIB);
  });

  it('is read completely up to 16 MiB, however small it is', async () => {
    const text = '{"at":1,"kind":"tick"}\n';
    const lines = Math.floor((16 * MIB) / text.length);
    expect(await readAll(gzipSync(text.repeat(lines)))).toMatchObject({ end: { kind: 'whole' }, lines });
  });
});

describe('a path that is not a recording', () => {
  it.each([
    ['a folder', tmpdir(), 'it is a folder'],
    ['no file', '/absent.xdsrec', 'no such file'],
  ])('is refused with the reason: %s', async (_, path, what) => {
    expect(await recordingFile(path).readLines(() => true)).toEqual({ kind: 'unreadable', what });
  });
});

describe('a recording with many lines', () => {
  it.each([
    ['plain', (text: string) => text],
    ['compressed', (text: string) => gzipSync(text)],
  ])('waits for the reader of the output: %s', async (_, pack) => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const total = 100_000;
    writeFileSync(path, pack('{}\n'.repeat(total)));
    let lines = 0;
    const linesAtWaits: number[] = [];
    const ready = async (): Promise<void> => {
      const before = lines;
      await new Promise(setImmediate);
      expect(lines, 'lines while the reader is slow').toBe(before);
      linesAtWaits.push(lines);
    };
    await recordingFile(path, ready).readLines(() => {
      lines++;
      return true;
    });
    expect(lines).toBe(total);
    expect(linesAtWaits.length).toBeGreaterThan(3);
  });

  it('lets the process handle signals between its lines', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    writeFileSync(path, '{}\n'.repeat(1000));
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    await recordingFile(path).readLines(() => {
      // An expensive line: without a pause, all lines of a chunk would be one turn of the event loop.
      const end = performance.now() + 1;
      while (performance.now() < end);
      return true;
    });
    clearInterval(count);
    expect(turns).toBeGreaterThan(5);
  });
});

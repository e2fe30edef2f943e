import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { watchDirectory } from '../../src/io/folder-watcher.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { until } from '../support/until.js';

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanUp of cleanups.reverse()) cleanUp();
});

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'xds-inspect-watch-')));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A watched folder whose file system reports changes and whose clock advances only on request. */
class Watched {
  readonly clock = new VirtualClock(1000);
  reports = 0;
  #listeners = new Map<string, (name: string | undefined) => void>();

  constructor(folder: string) {
    const watch = (path: string, onChange: (name: string | undefined) => void) => {
      this.#listeners.set(path, onChange);
      return { close: () => this.#listeners.get(path) === onChange && this.#listeners.delete(path) };
    };
    cleanups.push(watchDirectory(folder, () => this.reports++, { clock: this.clock, watch }));
  }

  get folders(): string[] {
    return [...this.#listeners.keys()].sort();
  }

  /** Reports that a name in a folder has changed, as the file system does. */
  touch(folder: string, name: string): void {
    this.#listeners.get(folder)?.(name);
  }

  async reported(count: number): Promise<void> {
    await until(() => this.reports === count, `${count} reports`);
  }
}

describe('a watched folder', () => {
  it('is reported once at the start, and once after several writes', async () => {
    const folder = newFolder();
    const watched = new Watched(folder);
    await watched.reported(1);
    for (let i = 0; i < 5; i++) {
      watched.touch(folder, 'a.yaml');
      watched.clock.advanceBy(50);
    }
    expect(watched.reports).toBe(1);
    watched.clock.advanceBy(50);
    await watched.reported(2);
  });

  it('is reported at least every second while a file is written without a pause', async () => {
    const folder = newFolder();
    const watched = new Watched(folder);
    await watched.reported(1);
    const reportedAt: number[] = [];
    for (let ms = 0; ms < 3000; ms += 20) {
      const before = watched.reports;
      watched.touch(folder, 'busy.log');
      watched.clock.advanceBy(20);
      // The report follows the alarm asynchronously; no time passes meanwhile.
      if ((ms + 20) % 1000 === 0) await watched.reported(before + 1);
      if (watched.reports > before) reportedAt.push(ms + 20);
    }
    expect(reportedAt).toEqual([1000, 2000, 3000]);
  });

  it('includes every folder on the way from its links to their files, and only these names there', async () => {
    const [folder, mounted, other] = [newFolder(), newFolder(), newFolder()];
    mkdirSync(join(mounted, '..1'));
    writeFileSync(join(mounted, '..1/a.yaml'), '1');
    symlinkSync('..1', join(mounted, '..data'));
    symlinkSync(join(mounted, '..data/a.yaml'), join(folder, 'a.yaml'));
    symlinkSync(join(other, 'later.yaml'), join(folder, 'b.yaml'));
    const watched = new Watched(folder);
    await watched.reported(1);
    expect(watched.folders).toEqual(
      expect.arrayContaining([folder, mounted, join(mounted, '..1'), other].map((path) => expect.stringMatching(path))),
    );
    let reports = 1;
    const changes: [folder: string, name: string, isReported: boolean][] = [
      [mounted, 'unrelated', false],
      [mounted, '..data', true],
      [join(mounted, '..1'), 'a.yaml', true],
      [join(mounted, '..1'), 'b.yaml', false],
      [other, 'later.yaml', true],
    ];
    for (const [where, name, isReported] of changes) {
      watched.touch(where, name);
      watched.clock.advanceBy(1000);
      if (isReported) reports++;
      await watched.reported(reports);
    }
  });

  it('is watched at its new folders after a link has been replaced', async () => {
    const [folder, mounted] = [newFolder(), newFolder()];
    for (const version of ['..1', '..2']) {
      mkdirSync(join(mounted, version));
      writeFileSync(join(mounted, version, 'a.yaml'), version);
    }
    symlinkSync('..1', join(mounted, '..data'));
    symlinkSync(join(mounted, '..data'), join(folder, 'config'));
    const watched = new Watched(folder);
    await watched.reported(1);
    symlinkSync('..2', join(mounted, '..tmp'));
    renameSync(join(mounted, '..tmp'), join(mounted, '..data'));
    watched.touch(mounted, '..data');
    watched.clock.advanceBy(1000);
    await watched.reported(2);
    watched.touch(mounted, '..2');
    watched.touch(join(folder, 'config'), 'a.yaml');
    watched.clock.advanceBy(1000);
    await watched.reported(3);
  });

  it('is reported by the file system when the file behind a link changes', async () => {
    const [folder, other] = [newFolder(), newFolder()];
    writeFileSync(join(other, 'a.yaml'), '1');
    symlinkSync(join(other, 'a.yaml'), join(folder, 'a.yaml'));
    let reports = 0;
    cleanups.push(watchDirectory(folder, () => reports++));
    await until(() => reports === 1, 'the first report');
    writeFileSync(join(other, 'new.yaml'), '2');
    renameSync(join(other, 'new.yaml'), join(other, 'a.yaml'));
    await until(() => reports >= 2, 'the replaced file is reported');
  });
});

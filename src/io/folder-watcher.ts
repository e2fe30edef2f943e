import { watch } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../engine/ports.js';
import { walkFolder } from './folder-walk.js';
import { linkSteps } from './link-folders.js';
import { systemClock } from './system-clock.js';

/** Editors write a file in several steps. It is read this long after the last one. */
const SETTLE_MS = 100;

/** A file that is written again and again delays the others by at most this long. */
const MAX_DELAY_MS = 1000;

/** Any name, to find folders and links only. */
const NO_FILE = /(?!)/;

export interface WatchPorts {
  clock: Clock;
  /** Calls back with the name that changed in a folder, if it is known. Throws if the folder cannot be watched. */
  watch(folder: string, onChange: (name: string | undefined) => void): { close(): void };
}

const SYSTEM: WatchPorts = {
  clock: systemClock,
  watch: (folder, onChange) =>
    watch(folder, (_, name) => onChange(name ?? undefined)).on('error', () => onChange(undefined)),
};

/** Calls back when a file below the folder may have changed, and once at the start. Returns a function that stops it. */
export function watchDirectory(folder: string, onChange: () => void, ports: WatchPorts = SYSTEM): () => void {
  const watcher = new FolderWatcher(resolve(folder), onChange, ports);
  void watcher.update();
  return () => watcher.close();
}

/**
 * Every folder has its own watcher, because Node's recursive watcher on Linux misses changes of a file that has been
 * replaced, and no watcher of a folder reports changes behind its links.
 */
class FolderWatcher {
  readonly #folder: string;
  readonly #onChange: () => void;
  readonly #ports: WatchPorts;
  #watchers: { close(): void }[] = [];
  /** The first change that has not been reported. */
  #firstAt: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #updating = Promise.resolve();
  #isClosed = false;

  constructor(folder: string, onChange: () => void, ports: WatchPorts) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#ports = ports;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#closeAll(this.#watchers);
  }

  /** Watches the current folders, then reports, so that no change between the two is lost. */
  update(): Promise<void> {
    this.#updating = this.#updating.then(async () => {
      const watched = await foldersToWatch(this.#folder);
      if (this.#isClosed) return;
      const before = this.#watchers;
      this.#watchers = [...watched].flatMap(([path, names]) => this.#watch(path, names) ?? []);
      this.#closeAll(before);
      this.#onChange();
    });
    return this.#updating;
  }

  #closeAll(watchers: readonly { close(): void }[]): void {
    for (const watcher of watchers) watcher.close();
  }

  /** Returns undefined if the folder has been removed. Then its parent reports a change. */
  #watch(path: string, names: WatchedNames): { close(): void } | undefined {
    try {
      return this.#ports.watch(path, (name) => {
        if (name === undefined || names === 'all' || names.has(name)) this.#changed();
      });
    } catch {
      return undefined;
    }
  }

  #changed(): void {
    if (this.#isClosed) return;
    const now = this.#ports.clock.now();
    this.#firstAt ??= now;
    this.#cancelTimer?.();
    const at = Math.min(now + SETTLE_MS, this.#firstAt + MAX_DELAY_MS);
    this.#cancelTimer = this.#ports.clock.wakeAt(at, () => {
      this.#firstAt = undefined;
      void this.update();
    });
  }
}

/** The names in a folder whose changes matter. */
type WatchedNames = 'all' | Set<string>;

/** The folders below a folder, and those that its links lead through. */
async function foldersToWatch(folder: string): Promise<Map<string, WatchedNames>> {
  const { folders, links } = await walkFolder(folder, NO_FILE);
  const watched = new Map<string, WatchedNames>(folders.map((path) => [path, 'all']));
  // A removed folder may be created again.
  for (const step of [folder, ...links].flatMap(linkSteps)) {
    const names = watched.get(step.folder) ?? new Set();
    if (names !== 'all') watched.set(step.folder, names.add(step.name));
  }
  return watched;
}

import { readdirSync, statSync } from 'node:fs';
import type { Paths } from '../inspect/diff-sides/side.js';
import { guardedPath } from './file-guard.js';

/** The file system, as far as the sides of a comparison need it. */
export const sidePaths: Paths = {
  kindOf(path) {
    try {
      return statSync(guardedPath(path)).isDirectory() ? 'folder' : 'file';
    } catch {
      return undefined;
    }
  },
  namesIn(folder) {
    try {
      return readdirSync(guardedPath(folder), { withFileTypes: true }).map(
        (one) => `${one.name}${one.isDirectory() ? '/' : ''}`,
      );
    } catch {
      return [];
    }
  },
};

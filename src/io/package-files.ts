import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedFile, embeddedNames, embeddedPath } from './embedded-files.js';

/** The files of the package that commands read: the manual, the built-in scenarios, the code of report pages. */
export interface PackageFiles {
  /** The names of the files in a folder and its folders, sorted, with `/`. */
  list(folder: string): string[];
  read(name: string): Buffer;
  /** The path by which commands read the file, also if a user types it. */
  pathOf(name: string): string;
}

/** The files of an installed package. */
export function filesOnDisk(root: string): PackageFiles {
  return {
    list: (folder) => {
      const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return paths.map((path) => path.slice(join(root, folder).length + 1).replaceAll('\\', '/')).sort();
    },
    read: (name) => readFileSync(join(root, name)),
    pathOf: (name) => join(root, name),
  };
}

/** The files in the executable, if the command line is a single executable. */
export const filesInExecutable: PackageFiles = {
  list: (folder) =>
    [...embeddedNames()]
      .filter((name) => name.startsWith(`${folder}/`))
      .map((name) => name.slice(folder.length + 1))
      .sort(),
  read: (name) => {
    const path = embeddedPath(name);
    const bytes = embeddedFile(path);
    if (bytes === undefined) throw new Error(`${path}: no such file`);
    return bytes;
  },
  pathOf: embeddedPath,
};

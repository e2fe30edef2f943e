import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';

/** Linux follows at most this many links in a path. */
const MAX_LINKS = 40;

/** A folder, and the name in it that decides which file a link names. */
export interface LinkStep {
  folder: string;
  name: string;
}

/**
 * The steps from a path to its file: each link on the way, and the file itself. A change of any of them changes the
 * file, and only a watcher of its folder reports it. In a mounted ConfigMap, `a.yaml` links to `..data/a.yaml`, and an
 * update replaces the link `..data`. A step that does not exist is the last one: it may be created.
 */
export function linkSteps(path: string): LinkStep[] {
  const steps: LinkStep[] = [];
  let folder = parse(path).root || '.';
  let rest = namesOf(path);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = join(folder, name);
    const target = targetOf(next);
    if (target === null) return [...steps, { folder, name }];
    if (target === undefined) folder = next;
    else {
      steps.push({ folder, name });
      if (steps.length > MAX_LINKS) return steps;
      rest = [...namesOf(target), ...rest];
      if (isAbsolute(target)) folder = parse(target).root;
    }
  }
  return [...steps, { folder: dirname(folder), name: basename(folder) }];
}

function namesOf(path: string): string[] {
  return path.split(sep).filter((name) => name !== '' && name !== '.');
}

/** The target of a link; undefined for a file or folder, null if there is neither. */
function targetOf(path: string): string | undefined | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return null;
  }
}

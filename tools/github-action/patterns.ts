import { glob, isDynamicPattern } from 'tinyglobby';

/** The files that the lines of an input select, and the globs that select nothing. */
interface Selection {
  files: string[];
  unmatched: string[];
}

/**
 * Selects files by paths and globs relative to the workspace. A path is kept, whether it exists or not: the command reports what
 * cannot be read. A glob without a match is a mistake, because a check of nothing would pass.
 */
export async function selectFiles(lines: readonly string[], workspace: string): Promise<Selection> {
  const ignore = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const files = new Set<string>();
  const unmatched: string[] = [];
  for (const line of lines) {
    if (line.startsWith('!')) continue;
    if (!isDynamicPattern(line)) {
      files.add(line);
      continue;
    }
    const found = await glob(line, {
      cwd: workspace,
      ignore: [...ignore, '**/node_modules/**', '**/.git/**'],
      expandDirectories: false,
      dot: true,
    });
    if (found.length === 0) unmatched.push(line);
    for (const file of found.sort()) files.add(file);
  }
  return { files: [...files], unmatched };
}

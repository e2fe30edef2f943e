import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The declarations of the entry for `import`: it exports what CommonJS exports. */
const FOR_IMPORT = "export * from './index.js';\n";

/**
 * Writes the declarations of the library to dist/types, without those that it does not reach: they are most of the files, and
 * import the types of packages that the installed package does not have.
 */
export function writeTypes(root: string): void {
  const folder = join(root, 'dist/types');
  const all = emitted(root, folder);
  const reached = reachable(join(folder, 'index.d.ts'), all);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of [...reached, [join(folder, 'index.d.mts'), FOR_IMPORT] as const]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function emitted(root: string, folder: string): Map<string, string> {
  const program = ts.createProgram([join(root, 'src/index.ts')], {
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src'),
    outDir: folder,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => files.set(path, text));
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    const host = {
      getCanonicalFileName: (name: string) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    };
    throw new Error(ts.formatDiagnostics(problems, host));
  }
  return files;
}

/** The declarations that an entry imports, directly or not. Throws if one of them imports a package. */
export function reachable(entry: string, all: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const pending = [entry];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue;
    const text = all.get(path);
    if (text === undefined) throw new Error(`there is no declaration file ${path}`);
    found.set(path, text);
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      if (!fileName.startsWith('.'))
        throw new Error(`${relative(dirname(entry), path)} imports types of ${fileName}, which is not in the package`);
      pending.push(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')));
    }
  }
  return found;
}

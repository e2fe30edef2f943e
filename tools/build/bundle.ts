import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin, type TransformOptions, transform } from 'esbuild';
import { nodeBuild } from '../../src/io/code-pack.ts';
import { needsPack } from './code-pack.ts';
import { withLazyChunks, withPlainExports } from './lazy-chunks.ts';
import { lightModelContextProtocol } from './model-context-protocol.ts';
import { lightOpenTelemetry } from './open-telemetry.ts';

/**
 * Bundles the command line and the library into chunks, so that a command loads only what it uses. esbuild splits only
 * ES modules, but Node loads CommonJS faster: so this builds ES chunks first and converts each to CommonJS.
 */
export async function bundle(root: string): Promise<Metafile> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'dist');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: { cli: 'src/cli/process.ts', index: 'src/index.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { PACKAGE_VERSION: JSON.stringify(version), 'import.meta.url': 'IMPORT_META_URL' },
    plugins: [
      lightStringWidth(root),
      lightOpenTelemetry(root),
      lightNode,
      lightModelContextProtocol,
      withoutUnusedPackages,
      withoutUnusedYargs,
    ],
    metafile: true,
    write: false,
    legalComments: 'none',
  });
  for (const file of result.outputFiles) {
    const code = await asCommonJs(file.text, file.path === join(folder, 'index.js'));
    writeFileSync(file.path, code.includes('IMPORT_META_URL') ? `${FILE_URL}${code}` : code);
  }
  writeFileSync(join(folder, 'index.mjs'), entryForImport(result.metafile.outputs['dist/index.js']?.exports ?? []));
  await bundleStart(root, folder, buildId(folder));
  return result.metafile;
}

/**
 * The library for `import`. It exports the classes and functions of the CommonJS module, so that a program that uses both has them once.
 * Node finds the names of CommonJS modules by reading their source, which depends on the code that esbuild writes.
 */
export function entryForImport(names: readonly string[]): string {
  if (names.length === 0) throw new Error('the library exports nothing');
  const list = names.join(', ');
  return `import library from './index.js';\nexport const { ${list} } = library;\n`;
}

async function asCommonJs(module: string, isLibrary: boolean): Promise<string> {
  const lineLimit = 200;
  const options: TransformOptions = {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    // `import()` would start Node's loader for ES modules, which takes longer than the chunk itself.
    supported: { 'dynamic-import': false },
  };
  // ES modules find the names of its exports only in what esbuild writes.
  if (isLibrary) return withLazyChunks((await transform(module, { ...options, lineLimit })).code);
  const { code } = await transform(module, options);
  return (await transform(withLazyChunks(withPlainExports(code)), { minifyWhitespace: true, lineLimit })).code;
}

/** Identifies the modules in a folder: users keep the code that V8 has compiled from them. */
function buildId(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** The code that loads the command line is one file of its own. */
async function bundleStart(root: string, folder: string, id: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { start: 'src/cli/start.ts' },
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { BUILD_ID: JSON.stringify(id), PACK_NODE: JSON.stringify(needsPack() ? nodeBuild() : '') },
  });
}

/** Defines the value that `import.meta.url` has in an ES module. */
const FILE_URL = "var IMPORT_META_URL=require('node:url').pathToFileURL(__filename).href;\n";

/**
 * Replaces the package with which yargs and cli-table3 measure text. Its versions build an Intl.Segmenter on load (24 ms)
 * or count some characters differently; the replacement returns the widths that the tool itself uses.
 */
export function lightStringWidth(root: string): Plugin {
  return {
    name: 'light-string-width',
    setup(builder) {
      builder.onResolve({ filter: /^string-width$/ }, ({ kind }) =>
        kind === 'require-call'
          ? { path: 'string-width', namespace: 'common-js' }
          : { path: join(root, 'src/base/string-width.ts') },
      );
      builder.onLoad({ filter: /.*/, namespace: 'common-js' }, () => ({
        contents: "module.exports = require('./src/base/string-width.ts').default",
        resolveDir: root,
      }));
    },
  };
}

/** Replaces modules of Node where they take long: `assert` in yargs, and `net.isIPv6` in grpc-js for names and IPv4 addresses. */
const lightNode: Plugin = {
  name: 'light-node',
  setup(builder) {
    const replace = (id: string, importer: RegExp, contents: string): void => {
      builder.onResolve({ filter: new RegExp(`^${id}$`) }, (args) =>
        importer.test(args.importer) ? { path: id, namespace: 'light-node' } : undefined,
      );
      builder.onLoad({ filter: new RegExp(`^${id}$`), namespace: 'light-node' }, () => ({ contents }));
    };
    replace('assert', /[/\\]yargs[/\\]/, LIGHT_ASSERT);
    replace('net', /@grpc[/\\]grpc-js[/\\]/, LIGHT_NET);
  },
};

const LIGHT_ASSERT = `
  const fail = (message) => { throw new Error(message); };
  export const strictEqual = (a, b, message) => Object.is(a, b) || fail(message);
  export const notStrictEqual = (a, b, message) => !Object.is(a, b) || fail(message);`;

/** Node 24 takes four milliseconds to compile the pattern of IPv6 addresses, of which each has a colon. */
const LIGHT_NET = `
  const net = require('node:net');
  module.exports = Object.create(net, {
    isIPv6: { value: (text) => String(text).includes(':') && net.isIPv6(text) },
  });`;

/** The tool uses neither channelz nor load reports, for which grpc-js loads proto files, nor the colours of cli-table3. */
const withoutUnusedPackages: Plugin = {
  name: 'without-unused-packages',
  setup(builder) {
    builder.onResolve({ filter: /^(@grpc\/proto-loader|@colors\/colors\/safe)$/ }, (args) => ({
      path: args.path,
      namespace: 'absent',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/**
 * The tool writes its own completion scripts and suggestions, and reads neither config files nor folders of commands. That
 * code of yargs is 10 kB that every start would load.
 */
const withoutUnusedYargs: Plugin = {
  name: 'without-unused-yargs',
  setup(builder) {
    builder.onLoad({ filter: /yargs[/\\]build[/\\]lib[/\\]completion\.js$/ }, () => ({
      contents: 'export const completion = () => ({ setParsed() {} });',
    }));
    builder.onLoad({ filter: /yargs[/\\]build[/\\]lib[/\\]utils[/\\]apply-extends\.js$/ }, () => ({
      contents: 'export const applyExtends = (config) => config;',
    }));
    builder.onLoad({ filter: /yargs[/\\]build[/\\]lib[/\\]utils[/\\]levenshtein\.js$/ }, () => ({
      contents: 'export const levenshtein = () => Infinity;',
    }));
    builder.onLoad({ filter: /node_modules[/\\]get-caller-file[/\\]index\.js$/ }, () => ({
      contents: "module.exports = () => '';",
    }));
  },
};

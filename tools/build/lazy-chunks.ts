import { parse } from 'acorn';

/**
 * Makes a chunk load the chunks that it imports when it first uses them. Most modules are part of something optional: the
 * validators of other implementations, RE2, the catalogue of the API. No module of this project has side effects on load.
 * @param code A chunk that esbuild has converted to CommonJS: it uses an import as a property of a variable.
 */
export function withLazyChunks(code: string): string {
  const files = new Map<string, string>();
  return code
    .replace(IMPORT, (_, variable: string, file: string) => {
      files.set(variable, file);
      return variable;
    })
    .replace(LOAD, '')
    .replace(USE, (use, variable: string) => {
      const file = files.get(variable);
      return file === undefined ? use : `(${variable}??=require("${file}"))`;
    });
}

/**
 * Exports with one object instead of two, each of which esbuild defines property by property: that takes longer than the
 * rest of most chunks. Functions are values, because V8 calls a getter with each use until it has optimised the code. The
 * other getters stay, because a variable may be assigned after the chunk has been loaded.
 * @param code A chunk that other chunks use as an object: it has no `__esModule`.
 */
export function withPlainExports(code: string): string {
  const [start, helpers = '', getters = ''] = EXPORTS.exec(code) ?? [];
  if (start === undefined) return code;
  const body = code.slice(start.length).replace(NAMES, '').replace(IMPORTED, '$1');
  const functions = constantFunctions(body);
  const properties = getters.replace(GETTER, (_, name: string, value: string) =>
    functions.has(value) ? `${name}:${value}` : `get ${name}(){return ${value}}`,
  );
  return `${body.includes('__toESM(') ? helpers : ''}module.exports={${properties}};${body}`;
}

/** The functions that a chunk declares at its top level, so that they exist before its first statement, and never assigns. */
function constantFunctions(body: string): Set<string> {
  const names = parse(body, { ecmaVersion: 2022 }).body.flatMap((statement) =>
    statement.type === 'FunctionDeclaration' ? [statement.id.name] : [],
  );
  const assigned = new Set(Array.from(body.matchAll(/([\w$]+)=(?!=)/g), ([, name = '']) => name));
  return new Set(names.filter((name) => !assigned.has(name)));
}

/** The helpers of esbuild, and its exports: `__export(stdin_exports,{name:()=>value,…})`. */
const EXPORTS =
  /^(var __(?:create|defProp)=.*?)var stdin_exports=\{\};__export\(stdin_exports,\{([^{}]*)\}\);module\.exports=__toCommonJS\(stdin_exports\);/s;
const GETTER = /([\w$]+|"[^"]+"):\(\)=>([^,{}]+)/g;
/** A hint for Node's ES modules, which do not import chunks. */
const NAMES = /0&&\(module\.exports=\{[^{}]*\}\);?\s*$/;
/** `import()` of a chunk, which needs no copy for a default export. */
const IMPORTED = /__toESM\((require\("\.\/[\w-]+\.js"\))\)/g;

/** `import_chunk_A=require("./chunk-A.js")` in a declaration of variables. */
const IMPORT = /\b(import_chunk_\w+)=require\("(\.\/chunk-\w+\.js)"\)/g;
/** `require("./chunk-A.js");` as a statement, of which only side effects would matter. */
const LOAD = /(?<=^|[;\n}])require\("\.\/chunk-\w+\.js"\);?/g;
const USE = /\b(import_chunk_\w+)(?=\.)/g;

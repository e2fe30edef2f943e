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

/** `import_chunk_A=require("./chunk-A.js")` in a declaration of variables. */
const IMPORT = /\b(import_chunk_\w+)=require\("(\.\/chunk-\w+\.js)"\)/g;
/** `require("./chunk-A.js");` as a statement, of which only side effects would matter. */
const LOAD = /(?<=^|[;\n}])require\("\.\/chunk-\w+\.js"\);?/g;
const USE = /\b(import_chunk_\w+)(?=\.)/g;

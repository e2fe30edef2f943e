import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import type { PackedModule } from './code-pack.js';
import { withDefaultFlags } from './tune-compiler.js';

type Require = (id: string) => unknown;
type ModuleFunction = (
  exports: unknown,
  require: Require,
  module: { exports: unknown },
  filename: string,
  folder: string,
) => void;

/** What has been compiled, and from which source. */
export interface CompiledModule {
  source: string;
  script: Script;
}

/** Loads modules from a pack, as Node loads CommonJS modules: each once, and also if they import each other. */
export class PackedModules {
  readonly #read: (name: string) => PackedModule | undefined;
  readonly #folder: string;
  readonly #requireOther: Require;
  readonly #onCompiled: (name: string, compiled: CompiledModule) => void;
  readonly #loaded = new Map<string, { exports: unknown }>();
  #isRefused = false;

  /**
   * @param folder The folder that contains the modules as files; stack traces show those.
   * @param requireOther Loads Node's own modules.
   */
  constructor(
    read: (name: string) => PackedModule | undefined,
    folder: string,
    requireOther: Require,
    onCompiled: (name: string, compiled: CompiledModule) => void = () => {},
  ) {
    this.#read = read;
    this.#folder = folder;
    this.#requireOther = requireOther;
    this.#onCompiled = onCompiled;
  }

  readonly require: Require = (id) => {
    if (!id.startsWith('./')) return this.#requireOther(id);
    const name = id.slice(2);
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(name, module);
    const filename = join(this.#folder, name);
    this.#compile(name, filename).call(
      module.exports,
      module.exports,
      this.require,
      module,
      filename,
      dirname(filename),
    );
    return module.exports;
  };

  #compile(name: string, filename: string): ModuleFunction {
    const packed = this.#read(name);
    if (packed === undefined) throw new Error(`the code pack does not contain ${name}`);
    const { source, compiled } = packed;
    const cachedData = compiled.length === 0 || this.#isRefused ? undefined : compiled;
    const script = withDefaultFlags(() => new Script(source, { filename, cachedData }));
    // Other flags of V8, as in NODE_OPTIONS: V8 would refuse the code of all other modules, too.
    if (script.cachedDataRejected === true) this.#isRefused = true;
    this.#onCompiled(name, { source, script });
    return script.runInThisContext() as ModuleFunction;
  }
}

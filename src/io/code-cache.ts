import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CodePack, nodeBuild, type PackedModule } from './code-pack.js';
import { asFunction, type ModuleBytes, packOf } from './pack-bytes.js';
import { type CompiledModule, PackedModules } from './packed-modules.js';
import { withDefaultFlags } from './tune-compiler.js';

/** The parts of the process that decide where the cache is, and who may have written it. */
export interface CacheOwner {
  variables: Readonly<Record<string, string | undefined>>;
  /** Flags of Node. They may change what V8 compiles, so there would be a file for each combination. */
  flags: readonly string[];
  /** Undefined on Windows. */
  userId: number | undefined;
}

/** Packs of other versions of the tool and of Node, and what an interrupted write has left. */
const KEPT_FILES = 8;
/** V8 forgets code that has not run for a while, so the pack of a longer run would lack functions. */
const LONGEST_RUN_S = 60;

/**
 * Keeps the code that V8 has compiled in one file of the user's own folder for temporary files, so that the next run
 * does not compile it again. A run that has loaded a module which the file lacks replaces the file when it ends.
 */
export class CodeCache {
  readonly #folder: string;
  readonly #path: string;
  readonly #key: string;
  readonly #userId: number;
  readonly #dist: string;
  readonly #compiled = new Map<string, CompiledModule>();
  #pack: CodePack | undefined;
  #isComplete = true;

  /**
   * Returns undefined if the user wants no cache, or if the tool cannot tell who has written one.
   * @param build Identifies the modules in `dist`.
   */
  static of(owner: CacheOwner, build: string, dist: string): CodeCache | undefined {
    const { variables, flags, userId } = owner;
    if (userId === undefined || flags.length > 0 || isSet(variables.NODE_DISABLE_COMPILE_CACHE)) return undefined;
    return new CodeCache(variables, userId, build, dist);
  }

  private constructor(variables: CacheOwner['variables'], userId: number, build: string, dist: string) {
    const { NODE_COMPILE_CACHE, NODE_OPTIONS, TMPDIR, TMP, TEMP } = variables;
    const temporary = NODE_COMPILE_CACHE || TMPDIR || TMP || TEMP || '/tmp';
    this.#folder = join(temporary, `xds-inspect-${userId}`);
    this.#key = JSON.stringify([build, nodeBuild(), NODE_OPTIONS ?? '']);
    this.#path = join(this.#folder, `${build}-${shortHash(this.#key)}.pack`);
    this.#userId = userId;
    this.#dist = dist;
    this.#pack = this.#open();
  }

  /** The modules of `dist`. */
  modules(
    requireOther: (id: string) => unknown,
    onCompiled: (compiled: CompiledModule) => void = () => {},
  ): PackedModules {
    return new PackedModules(
      (name) => this.#read(name),
      this.#dist,
      requireOther,
      (name, compiled) => {
        this.#compiled.set(name, compiled);
        if (compiled.script.cachedDataRejected !== false) this.#isComplete = false;
        onCompiled(compiled);
      },
    );
  }

  /** Replaces the file if this run has compiled a module. Failures have no effect: the cache only saves time. */
  save(uptime: number): void {
    if (this.#isComplete || uptime > LONGEST_RUN_S) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (!this.#isPrivate()) return;
      // Another process may have replaced the file.
      this.#pack = this.#open();
      const bytes = packOf(this.#key, this.#contents(), true);
      const temporary = `${this.#path}.${process.pid}`;
      try {
        writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
        renameSync(temporary, this.#path);
      } catch {
        rmSync(temporary, { force: true });
      }
      this.#removeOldFiles();
    } catch {
      // A folder that cannot be written.
    }
  }

  /** What this run has loaded, and the other modules of the file. */
  #contents(): Map<string, ModuleBytes> {
    const contents = new Map<string, ModuleBytes>();
    for (const name of this.#pack?.names ?? []) {
      const packed = this.#compiled.has(name) ? undefined : this.#packed(name);
      if (packed !== undefined)
        contents.set(name, { source: Buffer.from(packed.source), compiled: Uint8Array.from(packed.compiled) });
    }
    withDefaultFlags(() => {
      for (const [name, { source, script }] of this.#compiled)
        contents.set(name, { source: Buffer.from(source), compiled: script.createCachedData() });
    });
    return contents;
  }

  #read(name: string): PackedModule {
    const packed = this.#packed(name);
    if (packed !== undefined) return packed;
    return { source: asFunction(readFileSync(join(this.#dist, name), 'utf8')), compiled: new Uint8Array() };
  }

  #packed(name: string): PackedModule | undefined {
    try {
      return this.#pack?.read(name);
    } catch {
      // Whatever damage makes of the file, the modules of the package still work.
      return undefined;
    }
  }

  /** V8 runs compiled code without checking it. So nobody else may be able to write the file or to put another one in its place. */
  #open(): CodePack | undefined {
    try {
      return this.#isPrivate() ? CodePack.open(this.#path, this.#key, (file) => this.#isOwn(file)) : undefined;
    } catch {
      // There is no such folder yet.
      return undefined;
    }
  }

  #isPrivate(): boolean {
    const folder = lstatSync(this.#folder);
    return folder.isDirectory() && this.#isOwn(folder);
  }

  #isOwn({ uid, mode }: Stats): boolean {
    return uid === this.#userId && (mode & 0o022) === 0;
  }

  #removeOldFiles(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const byAge = files.map((path) => ({ path, time: statSync(path).mtimeMs })).sort((a, b) => b.time - a.time);
    for (const { path } of byAge.slice(KEPT_FILES)) rmSync(path, { force: true });
  }
}

export function isSet(variable: string | undefined): boolean {
  return (variable ?? '') !== '';
}

/** Part of a file name; the file itself contains the whole key. */
function shortHash(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(16);
}

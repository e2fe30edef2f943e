import type { PackedModule } from '../io/code-pack.js';
import { mappedFile } from '../io/embedded-files.js';
import { runAsGuard } from '../io/kube/guard.js';
import { PackedModules } from '../io/packed-modules.js';
import type { runProcess } from './process.js';

/** Starts the command line of a single executable. It contains each module, and the code that V8 has compiled from it. */
function read(name: string): PackedModule | undefined {
  const source = mappedFile(`modules/${name}`)?.toString();
  return source === undefined
    ? undefined
    : { source, compiled: mappedFile(`modules/${name}.code`) ?? new Uint8Array() };
}

if (!runAsGuard(process.argv)) {
  const modules = new PackedModules(read, __dirname, require);
  (modules.require('./cli.js') as { runProcess: typeof runProcess }).runProcess(undefined, () => {});
}

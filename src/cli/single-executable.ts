import { mappedFile } from '../io/embedded-files.js';
import { PackedModules } from '../io/packed-modules.js';
import type { runProcess } from './process.js';

/** Starts the command line of a single executable. It contains each module, and the code that V8 has compiled from it. */
const pack = {
  read(name: string) {
    const source = mappedFile(`modules/${name}`)?.toString();
    const compiled = mappedFile(`modules/${name}.code`) ?? new Uint8Array();
    return source === undefined ? undefined : { source, compiled };
  },
};
const modules = new PackedModules(pack, __dirname, require);
(modules.require('./cli.js') as { runProcess: typeof runProcess }).runProcess(undefined, () => {});

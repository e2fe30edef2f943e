import { CodePack } from '../io/code-pack.js';
import { readOnlyFile } from '../io/embedded-files.js';
import { PackedModules } from '../io/packed-modules.js';
import type { runProcess } from './process.js';

/** Starts the command line of a single executable, which contains the files of the package and a pack of its modules. */
const bytes = readOnlyFile('dist/code.pack');
if (bytes === undefined) throw new Error('this file runs only in a single executable');
const modules = new PackedModules(CodePack.inMemory(bytes), __dirname, require);
(modules.require('./cli.js') as { runProcess: typeof runProcess }).runProcess(undefined, () => {});

import { setFlagsFromString } from 'node:v8';

/**
 * Most runs take less than a second. By default V8 compiles functions with all optimisations, in threads beside the
 * main one, when most of the work is already done. Four times the wait saves a fifth and more of the CPU time of such
 * runs, and costs long ones nothing to speak of. Not before the code is loaded: with other flags V8 does not take Node's
 * own modules as they were compiled beforehand.
 */
export function tuneCompiler(): void {
  if (V8_TUNED.test(process.versions.v8)) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}

/** Where this was measured: Node 20. Later versions have another compiler in between. */
const V8_TUNED = /^11\./;
const INTERRUPT_BUDGET = 4 * 132 * 1024;

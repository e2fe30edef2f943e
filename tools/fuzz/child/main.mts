import { ProgressFile } from '../progress-file.ts';
import { runTarget } from '../runner.ts';
import { TARGETS } from '../targets.ts';
import type { ChildJob } from '../watched-run.ts';

const { target: name, seed, seconds, inputs, firstCase, progress } = JSON.parse(process.argv[2] ?? '') as ChildJob;
const file = new ProgressFile(progress, 'w+');
const target = TARGETS.map((make) => make()).find((one) => one.name === name);
if (target === undefined) throw new Error(`unknown target ${name}`);
const until = performance.now() + 1000 * seconds;
const at = { case: firstCase, begun: 0, inputs: 0 };
const report = await runTarget(target, {
  seed,
  firstCase,
  budget: { inputs, isOver: () => performance.now() >= until },
  onCase: (number) => {
    at.case = number;
    at.begun++;
    file.write(at);
  },
  onProgress: (count) => {
    at.inputs = count;
  },
});
process.send?.(report, () => process.exit());

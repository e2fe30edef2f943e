import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mutate } from './mutate.mts';
import { survivorLine, survivorName } from './survivor-line.mts';
import { unlisted } from './survivors-page.mts';

/** Folders of src whose mutants are sampled, and the folders of test that run against them. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  core: ['core', 'findings', 'engine'],
  deps: ['deps', 'inspect', 'core'],
  resources: ['resources', 'proto'],
  routing: ['routing', 'inspect'],
  inspect: ['inspect', 'view'],
};

/** The share of mutants that tests must detect. */
const GOAL = 0.8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
    survivors: { type: 'string' },
    tests: { type: 'string', multiple: true },
  },
});

const lines: string[] = [];
for (const folder of positionals.length > 0 ? positionals : Object.keys(TESTS)) {
  const sample = await mutate(folder, values.tests ?? TESTS[folder] ?? [folder], {
    size: Number(values.sample),
    seed: values.seed,
    concurrency: Number(values.concurrency),
  });
  const alive = sample.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const killed = sample.length - alive.length;
  const share = killed / sample.length;
  console.log(`${folder}: ${killed} of ${sample.length} mutants killed (${(100 * share).toFixed(1)} %)`);
  // A timeout counts as killed, but on a busy machine a slow test can cause one.
  for (const mutant of sample) if (mutant.status === 'Timeout') console.log(`timeout: ${survivorLine(mutant)}`);
  for (const { file, change } of unlisted(alive.map(survivorName)))
    console.log(`not in docs/mutation-survivors.md: ${file} ${change}`);
  lines.push(...alive.map(survivorLine));
  if (share < GOAL) process.exitCode = 1;
}
if (values.survivors === undefined) console.log(lines.join('\n'));
else writeFileSync(values.survivors, `${lines.join('\n')}\n`);

import { gzipSync } from 'node:zlib';
import { formatsOf } from '../../../src/view/formats.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes } from '../../oracle/mutation/mutate.js';
import { checkCommand, type Main } from '../command-run.js';
import { generateRecording } from '../engine/engine-target.js';
import type { FuzzTarget } from '../target.js';
import { fileTarget } from './file-target.js';
import { filesBelow } from './seed-files.js';
import { paxRecord, type TarMember, tarArchive } from './tar-archive.js';
import { mutatedText, mutatedValue } from './text-mutation.js';

/** The views of `replay` with their formats. */
const VIEWS = {
  '': formatsOf('status', 'timeline'),
  report: formatsOf('report'),
  status: formatsOf('status'),
  watch: formatsOf('lines', 'events'),
  config: formatsOf('config'),
  tears: formatsOf('tears'),
  explain: formatsOf('explain'),
  wait: formatsOf('wait'),
} as const;
const CHANGES = [[], [], ['--as', 'c-core'], ['--feature', 'fail_on_data_errors'], ['--resource-timer', '1s']];

/** Recordings: generated sessions, valid or damaged, plain, compressed or in a support bundle. */
export function recordingTarget(main?: Main): FuzzTarget {
  let seeds: Buffer[] | undefined;
  return fileTarget({
    name: 'recordings',
    description: 'recordings, valid and damaged, plain, gzip and in bundles: replay in every view and format',
    share: 2,
    extension: '.xdsrec',
    generate: (dice) => {
      seeds ??= [...filesBelow('recordings', /\.xdsrec$/), ...filesBelow('fuzz', /\.xdsrec$/)];
      return damaged(dice.chance(0.2) ? dice.pick(seeds) : Buffer.from(generateRecording(dice)), dice);
    },
    checkOf: (dice) => {
      const view = dice.pick(Object.keys(VIEWS) as (keyof typeof VIEWS)[]);
      const changes = dice.pick(CHANGES);
      // Without a view, changes compare the two runs.
      const formats = view === '' && changes.length > 0 ? formatsOf('what-if', 'timeline') : VIEWS[view];
      const until = view === 'wait' ? ['--until', 'ready'] : [];
      const options = [...until, ...changes, '-o', dice.pick(formats as readonly string[])];
      return async (path, { length }) =>
        await checkCommand(['replay', path, ...(view === '' ? [] : [view]), ...options], 10 * length, main);
    },
  });
}

function damaged(recording: Buffer, dice: Dice): Buffer {
  const changed = dice.weighted<() => Buffer>([
    [4, () => recording],
    [2, () => mutatedText(recording, dice)],
    [3, () => reordered(recording, dice)],
    [3, () => changedLine(recording, dice)],
  ])();
  if (dice.chance(0.6)) return changed;
  if (dice.chance(0.5)) return bundled(changed, dice);
  const compressed = gzipSync(changed);
  return dice.chance(0.5) ? compressed : brokenBytes(compressed, dice);
}

/** A support bundle with this recording: valid, hostile or damaged. */
function bundled(recording: Buffer, dice: Dice): Buffer {
  const isPacked = dice.chance(0.5);
  const session = {
    name: `b/session.xdsrec${isPacked ? '.gz' : ''}`,
    body: isPacked ? gzipSync(recording) : recording,
  };
  const others = Array.from({ length: dice.below(4) }, () => dice.pick(OTHER_MEMBERS));
  const archive = tarArchive(dice.chance(0.5) ? [session, ...others] : [...others, session]);
  const damagedArchive = dice.chance(0.5) ? archive : brokenBytes(archive, dice);
  if (dice.chance(0.2)) return damagedArchive;
  const compressed = gzipSync(damagedArchive);
  return dice.chance(0.7) ? compressed : brokenBytes(compressed, dice);
}

const OTHER_MEMBERS: readonly TarMember[] = [
  { name: 'b/report.txt', body: 'xds:///greeter  OK' },
  { name: 'b/', type: '5' },
  { name: 'pax_global_header', type: 'g', body: paxRecord('comment', 'x') },
  { name: 'x', type: 'x', body: paxRecord('path', 'b/other.xdsrec') },
  { name: 'x', type: 'x', body: paxRecord('size', '100') },
  { name: '././@LongLink', type: 'L', body: 'b/long.xdsrec\0' },
  { name: 'x', type: 'x', body: '999999999 a=b\n' },
  { name: '../../up' },
  { name: 'b/link.xdsrec', type: '2', link: '/etc/passwd' },
  { name: 'b/sparse', type: 'S', body: 'x' },
  { name: 'b/large', size: 8 ** 11 - 1 },
  { name: 'b/\u001b[31mred\u202e' },
];

/** Lines in another order, missing or repeated. The header mostly stays. */
function reordered(recording: Buffer, dice: Dice): Buffer {
  const [header = '', ...lines] = recording.toString().split('\n');
  for (let changes = 1 + dice.below(4); changes > 0 && lines.length > 0; changes--) {
    const [from, to] = [dice.below(lines.length), dice.below(lines.length)];
    const line = lines[from] as string;
    if (dice.chance(0.6)) lines.splice(from, 1);
    if (dice.chance(0.6)) lines.splice(to, 0, line);
  }
  return Buffer.from([...(dice.chance(0.95) ? [header] : []), ...lines].join('\n'));
}

/** One line with other fields or values. */
function changedLine(recording: Buffer, dice: Dice): Buffer {
  const lines = recording.toString().split('\n');
  const at = dice.below(Math.max(1, lines.length - 1));
  lines[at] = JSON.stringify(mutatedValue(JSON.parse(lines[at] as string), dice));
  return Buffer.from(lines.join('\n'));
}

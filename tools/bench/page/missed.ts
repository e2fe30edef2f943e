import { type Figure, isMissed } from '../measure.ts';
import type { Results } from './results.ts';
import { figureTable } from './tables.ts';
import { amountText, ratioText } from './value.ts';

/** The missed goals of all parts, the worst first, each with a link to the section of its part. */
export function missed(text: string, results: Results): string {
  const all = Object.entries(results).flatMap(([name, { figures }]) => figures.map((figure) => ({ name, figure })));
  const rows = all
    .filter(({ figure }) => isMissed(figure))
    .sort((a, b) => excess(b.figure) - excess(a.figure))
    .map(({ name, figure }) => ({ ...figure, what: `[${figure.what}](#${anchor(sectionTitle(text, name))})` }));
  if (rows.length === 0) return `All ${all.length} goals are met.`;
  return `${rows.length} of ${all.length} goals are missed, the worst first:\n\n${figureTable(rows, '')}`;
}

const excess = ({ ratio, goal }: Figure): number => ratio / goal;

/** For the end of a run: what was measured, and the goal. */
export function missedLine({ what, value, ratio, peer, peerValue, goal }: Figure): string {
  const [own, theirs] = [value, peerValue].map((one) => (one === undefined ? '' : ` (${amountText(one)})`));
  return `goal missed: ${what}${own}: ${ratioText(ratio)} ${peer}${theirs} instead of ${ratioText(goal)}`;
}

/** The last heading before the marks of a part. */
function sectionTitle(text: string, name: string): string {
  const before = text.slice(0, text.indexOf(`<!-- ${name}: `));
  return [...before.matchAll(/^##+ (.+)$/gm)].at(-1)?.[1] ?? name;
}

/** As GitHub derives it from a heading. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

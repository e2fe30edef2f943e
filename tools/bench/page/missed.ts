import { table } from '../markdown.ts';
import { type Figure, isMissed } from '../measure.ts';
import type { Results } from './results.ts';
import { amountText, ratioText } from './value.ts';

/** The missed goals of all parts, the worst first, each with a link to the section of its part. */
export function missed(text: string, results: Results): string {
  const figures = Object.entries(results).flatMap(([name, part]) => part.figures.map((figure) => ({ name, figure })));
  const late = figures.filter(({ figure }) => isMissed(figure));
  const summary = `${late.length} of ${figures.length} goals are missed`;
  if (late.length === 0) return `${summary}.`;
  const rows = late
    .sort((a, b) => excess(b.figure) - excess(a.figure))
    .map(({ name, figure }) => [sectionLink(text, name), ...missedCells(figure)]);
  return `${summary}, the worst first:\n\n${table(['question', 'what', 'measured', 'goal'], rows)}`;
}

const excess = ({ ratio, goal }: Figure): number => ratio / goal;

/** What was measured, the value beside that of the peer, and the goal. */
export function missedCells({ what, value, ratio, peer, peerValue, goal }: Figure): string[] {
  const own = value === undefined ? '' : `${amountText(value)}, `;
  const theirs = peerValue === undefined ? '' : ` (${amountText(peerValue)})`;
  return [what, `${own}${ratioText(ratio)} ${peer}${theirs}`, `at most ${ratioText(goal)}`];
}

/** A link to the last heading before the marks of a part. */
function sectionLink(text: string, name: string): string {
  const before = text.slice(0, text.indexOf(`<!-- ${name}: `));
  const title = [...before.matchAll(/^##+ (.+)$/gm)].at(-1)?.[1] ?? name;
  return `[${title}](#${anchor(title)})`;
}

/** As GitHub derives it from a heading. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

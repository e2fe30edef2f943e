import { timeOfDay } from '../../base/clock-time.js';
import { countText, thousands } from '../../base/count-text.js';
import { displayWidth } from '../../base/display-width.js';
import type { TearGroupView } from '../tears.js';
import { visibleMessage } from '../visible-text.js';
import type { Paint } from './paint.js';
import { type Cell, type Column, table } from './table.js';
import { wrapped } from './wrap.js';

/** A group of tears: cells for its kind, count and start, and its sentences. */
interface TearRow {
  facts: Cell[];
  happened: string;
  withA74: string;
  withoutA74: string;
}

const FACTS: readonly Column[] = [{ title: 'KIND' }, { title: 'COUNT' }, { title: 'FIRST' }];
const SENTENCES: readonly Column[] = [
  { title: 'WHAT HAPPENED' },
  { title: 'GRPC WITH A74' },
  { title: 'CLIENTS WITHOUT A74' },
];

/** The maximum number of groups per kind; the rest is counted. */
const MOST = 20;

/**
 * Groups of tears as text, at most twenty of each kind, with the advice on each kind below. Sentences that do not fit into
 * columns are printed below their row. Advice that the view already shows (`shownAdvice`) is omitted.
 */
export function tearGroupLines(
  groups: readonly TearGroupView[],
  maxTearMs: number,
  paint: Paint,
  width: number | undefined,
  shownAdvice: readonly string[] = [],
): string[] {
  const shown = longest(groups);
  const rows = shown.map((group) => tearRow(group, group.maxMs > maxTearMs, paint));
  const advice = [...new Set(shown.map((group) => group.advice))].filter((text) => !shownAdvice.includes(text));
  return [
    ...rowLines(rows, width),
    ...restLines(groups, shown, width),
    ...advice.flatMap((text) => wrapped(`→ ${text}`, width, '  ')),
  ];
}

function tearRow(group: TearGroupView, isFinding: boolean, paint: Paint): TearRow {
  const { kind, count, open, begin, happened, withA74, withoutA74 } = group;
  return {
    facts: [
      { text: kind, paint: isFinding ? paint.error : paint.warning },
      { text: open === 0 ? `×${thousands(count)}` : `×${thousands(count)}, open` },
      { text: timeOfDay(begin) },
    ],
    happened: visibleMessage(happened),
    withA74: visibleMessage(withA74),
    withoutA74: visibleMessage(withoutA74),
  };
}

function rowLines(rows: readonly TearRow[], width: number | undefined): string[] {
  const beside = rows.map(({ facts, happened, withA74, withoutA74 }) => [
    ...facts,
    ...[happened, withA74, withoutA74].map((text) => ({ text })),
  ]);
  const lines = table([...FACTS, ...SENTENCES], beside);
  if (width === undefined || lines.every((line) => displayWidth(line) <= width)) return lines;
  const [head = '', ...short] = table(
    FACTS,
    rows.map(({ facts }) => facts),
    width,
  );
  return [head, ...short.flatMap((line, i) => [line, ...below(rows[i], width)])];
}

function below(row: TearRow | undefined, width: number): string[] {
  if (row === undefined) return [];
  const { happened, withA74, withoutA74 } = row;
  const texts = [happened, `gRPC with A74: ${withA74}`, `clients without A74: ${withoutA74}`];
  return texts.flatMap((text) => wrapped(`    ${text}`, width, '      '));
}

/** The groups of each kind with the longest tears, in the given order. */
function longest(groups: readonly TearGroupView[]): readonly TearGroupView[] {
  const left = new Map<string, number>();
  const shown = new Set(
    [...groups]
      .sort((a, b) => b.maxMs - a.maxMs)
      .filter(({ kind }) => {
        const room = left.get(kind) ?? MOST;
        left.set(kind, room - 1);
        return room > 0;
      }),
  );
  return groups.filter((group) => shown.has(group));
}

/** `… and 1,980 shorter tears: 1,000 dangling-cluster, 980 mixed-servers` */
function restLines(
  groups: readonly TearGroupView[],
  shown: readonly TearGroupView[],
  width: number | undefined,
): string[] {
  const left = groups.filter((group) => !shown.includes(group));
  if (left.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { kind, count } of left) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts].map(([kind, count]) => `${thousands(count)} ${kind}`);
  const line = `… and ${countText(total, 'shorter tear')}: ${parts.join(', ')}; -o json lists all`;
  return wrapped(line, width, '    ');
}

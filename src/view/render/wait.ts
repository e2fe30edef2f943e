import { formatMillis } from '../../base/duration.js';
import type { ConditionView } from '../../inspect/wait/waiting.js';
import type { WaitDocument, WaitOutcome } from '../documents.js';
import type { Page } from '../formats.js';
import { visible, visibleShort } from '../visible-text.js';
import type { Paint } from './paint.js';
import { verdictList } from './verdict-list.js';

/** The verdicts, then the outcome, then every condition with its actual value and hints. */
export function waitText(document: WaitDocument, page: Pick<Page, 'paint' | 'width'>): string {
  const { conditions, outcome, waitedMs, targets, cause } = document;
  const { paint } = page;
  const verdicts = targets.map((verdict) => ({ name: verdict.target, verdict }));
  const lines = [...verdictList(verdicts, page), headline(conditions, outcome, formatMillis(waitedMs), paint)];
  const width = Math.max(...conditions.map(({ condition }) => visible(condition).length));
  const printedHints = new Set<string>();
  for (const { condition, ok, actual, hints } of conditions) {
    const mark = ok ? paint.good('✓') : paint.error('✗');
    lines.push(`  ${mark} ${visible(condition).padEnd(width)}   ${visibleShort(actual)}`);
    // The cause of the verdict already explains an unreachable server.
    if (outcome === 'unreachable' && cause !== null) continue;
    for (const hint of hints) if (!printedHints.has(hint)) lines.push(`    → ${visible(hint)}`);
    for (const hint of hints) printedHints.add(hint);
  }
  if (outcome === 'unreachable' && cause !== null) lines.push(`  → ${visible(cause.advice)}`);
  return `${lines.join('\n')}\n`;
}

function headline(conditions: readonly ConditionView[], outcome: WaitOutcome, waited: string, paint: Paint): string {
  const missing = conditions.filter(({ ok }) => !ok).length;
  const many = conditions.length === 1 ? 'the condition' : `all ${conditions.length} conditions`;
  if (outcome === 'met')
    return `${paint.good('met')} after ${waited}: ${many} hold${conditions.length === 1 ? 's' : ''}`;
  const how = { 'timed-out': 'timed out', unreachable: 'no server could be reached', interrupted: 'interrupted' }[
    outcome
  ];
  const lacking =
    conditions.length === 1
      ? 'the condition does not hold'
      : `${missing} of ${conditions.length} conditions ${missing === 1 ? 'does' : 'do'} not hold`;
  return `${paint.error(how)} after ${waited}: ${lacking}`;
}

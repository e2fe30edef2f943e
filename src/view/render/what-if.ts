import { formatMillis } from '../../base/duration.js';
import type { Page } from '../formats.js';
import { visible } from '../visible-text.js';
import type { ScopeWhatIf, WhatIfDocument } from '../what-if.js';
import type { Paint } from './paint.js';

/** Further ones are counted. */
const MAX_OUTCOMES = 20;

export function whatIfText({ scopes }: WhatIfDocument, { paint }: Page): string {
  return scopes.map((scope) => scopeText(scope, paint)).join('\n');
}

/** The differences between the recorded and the what-if run of a scope. */
function scopeText({ scope, parts, outcomes }: ScopeWhatIf, paint: Paint): string {
  if (parts === null && outcomes.length === 0) return `${visible(scope)}   ${paint.good('no difference')}\n`;
  const where = parts === null ? 'the end states differ' : `the runs differ after ${formatMillis(parts.afterMs)}`;
  const lines = [`${visible(scope)}   ${paint.warning(where)}`];
  if (parts !== null) {
    lines.push(`  recorded  ${parts.recorded?.text ?? 'no such event'}`);
    lines.push(`  what-if   ${parts.changed?.text ?? 'no such event'}`);
  }
  lines.push(outcomes.length === 0 ? 'no difference at the end' : 'differences at the end');
  for (const { what, recorded, changed } of outcomes.slice(0, MAX_OUTCOMES)) {
    lines.push(`  ${visible(what)}`, `    recorded  ${visible(recorded)}`, `    what-if   ${visible(changed)}`);
  }
  if (outcomes.length > MAX_OUTCOMES) lines.push(`  and ${outcomes.length - MAX_OUTCOMES} more`);
  return `${lines.join('\n')}\n`;
}

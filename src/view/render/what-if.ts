import { formatMillis } from '../../base/duration.js';
import type { Page } from '../formats.js';
import { visible } from '../visible-text.js';
import type { ScopeWhatIf, WhatIfDocument } from '../what-if.js';
import type { Paint } from './paint.js';

/** More are counted. */
const MAX_OUTCOMES = 20;

export function whatIfText({ scopes }: WhatIfDocument, { paint }: Page): string {
  return scopes.map((scope) => scopeText(scope, paint)).join('\n');
}

/** Where the recorded and the what-if run differ, as a person reads it. */
function scopeText({ scope, parts, outcomes }: ScopeWhatIf, paint: Paint): string {
  if (parts === null && outcomes.length === 0) return `${visible(scope)}   ${paint.good('the same')}\n`;
  const where = parts === null ? 'another end' : `parts after ${formatMillis(parts.afterMs)}`;
  const lines = [`${visible(scope)}   ${paint.warning(where)}`];
  if (parts !== null) {
    lines.push(`  recorded  ${parts.recorded?.text ?? 'nothing of the kind'}`);
    lines.push(`  changed   ${parts.changed?.text ?? 'nothing of the kind'}`);
  }
  lines.push(outcomes.length === 0 ? 'in the end all is the same' : 'in the end');
  for (const { what, recorded, changed } of outcomes.slice(0, MAX_OUTCOMES)) {
    lines.push(`  ${visible(what)}`, `    recorded  ${visible(recorded)}`, `    changed   ${visible(changed)}`);
  }
  if (outcomes.length > MAX_OUTCOMES) lines.push(`  and ${outcomes.length - MAX_OUTCOMES} more`);
  return `${lines.join('\n')}\n`;
}

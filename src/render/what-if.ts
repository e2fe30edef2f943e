import { formatMillis } from '../base/duration.js';
import { visible } from '../view/visible-text.js';
import type { ScopeWhatIf } from '../view/what-if.js';
import type { Paint } from './bootstrap.js';

/** Where two runs of one session part, as a person reads it. */
export function whatIfText({ scope, parts, outcomes }: ScopeWhatIf, paint: Paint): string {
  if (parts === null && outcomes.length === 0) return `${visible(scope)}   ${paint.good('the same')}\n`;
  const lines = [
    `${visible(scope)}   ${paint.warning(parts === null ? 'another end' : `parts after ${formatMillis(parts.afterMs)}`)}`,
  ];
  if (parts !== null) {
    lines.push(`  recorded  ${parts.recorded?.text ?? paint.dim('nothing of the kind')}`);
    lines.push(`  changed   ${parts.changed?.text ?? paint.dim('nothing of the kind')}`);
  }
  if (outcomes.length === 0) lines.push('  in the end all is the same');
  for (const { what, recorded, changed } of outcomes) {
    lines.push(
      '',
      `  in the end: ${visible(what)}`,
      `  recorded  ${visible(recorded)}`,
      `  changed   ${visible(changed)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

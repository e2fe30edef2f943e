import { visible } from '../visible-text.js';

/** One line of TAP; a failure has facts about it. */
interface TapTest {
  name: string;
  failure: Record<string, string> | undefined;
  /** The reason why it was skipped. */
  skipped?: string | undefined;
}

/** TAP 14; a failure has a YAML block, whose values are JSON strings. */
export function tap(tests: readonly TapTest[]): string {
  const lines = ['TAP version 14', `1..${tests.length}`];
  for (const [i, { name, failure, skipped }] of tests.entries()) {
    const skip = skipped === undefined ? '' : ` # SKIP ${description(skipped)}`;
    lines.push(`${failure === undefined ? 'ok' : 'not ok'} ${i + 1} - ${description(name)}${skip}`);
    if (failure === undefined) continue;
    const facts = Object.entries(failure).map(([key, text]) => `  ${key}: ${JSON.stringify(visible(text))}`);
    lines.push('  ---', ...facts, '  ...');
  }
  return `${lines.join('\n')}\n`;
}

/** Escapes `#`, which would start a directive such as SKIP. */
function description(text: string): string {
  return visible(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

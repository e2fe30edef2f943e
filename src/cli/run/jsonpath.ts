import { displayWidth } from '../../base/display-width.js';
import { UsageError } from '../../base/failure.js';
import { parseTemplate } from '../../view/jsonpath/parse-template.js';
import type { Template } from '../../view/jsonpath/template.js';
import { visible } from '../../view/visible-text.js';

/** The characters that are shown before and after a problem. */
const AROUND = 40;

const SUPPORTED =
  'Supported: text {.a.b}, {[\'key\']}, {.list[0]}, [-1], [0:3], [*], [0,2], .*, ..name, [?(@.a=="b")], {range .list[*]}…{end}, {"\\n"}';

/** Parses the expression of `-o jsonpath=`. The error shows where its problem is. */
export function readTemplate(text: string): Template {
  const parsed = parseTemplate(text);
  if (parsed.ok) return parsed.template;
  const { message, offset } = parsed;
  const start = Math.max(0, offset - AROUND);
  const before = `${start > 0 ? '…' : ''}${visible(text.slice(start, offset))}`;
  const rest = text.slice(offset, offset + AROUND);
  const shown = `${before}${visible(rest)}${offset + AROUND < text.length ? '…' : ''}`;
  const caret = `${' '.repeat(displayWidth(before))}^`;
  throw new UsageError(
    `--output jsonpath: ${message}, at character ${offset + 1}\n  ${shown}\n  ${caret}\n${SUPPORTED}`,
  );
}

import { byTarget, type CheckReport, type Evaluated, failedOf } from '../../inspect/expect/report.js';
import { visible, visibleShort } from '../visible-text.js';
import { githubAnnotation } from './annotation.js';
import type { Paint } from './bootstrap.js';
import { type JunitSuite, junit } from './junit.js';

/** The verdict first, then what failed, target by target; what holds is counted, or listed where that is asked for. */
export function checkText(report: CheckReport, listsAll: boolean, paint: Paint): string {
  const failed = failedOf(report).length;
  const total = report.evaluated.length;
  const verdict =
    failed === 0
      ? paint.good(`${total === 1 ? '1 expectation holds' : `all ${total} expectations hold`}`)
      : paint.error(`${failed} of ${total} expectations failed`);
  const lines = [`${verdict} · ${visible(report.file)}`];
  if (report.remark !== '') lines.push(paint.warning(visible(report.remark)));
  for (const [target, evaluated] of byTarget(report.evaluated)) {
    const bad = evaluated.filter(({ ok }) => !ok);
    const good = evaluated.filter(({ ok }) => ok);
    lines.push('', visible(target), ...bad.flatMap((one) => failureLines(one, report.file, paint)));
    if (listsAll)
      for (const one of good) lines.push(`  ${paint.good('✓')} ${visibleShort(one.name)}: ${visibleShort(one.actual)}`);
    else if (good.length > 0) lines.push(`  ${paint.good('✓')} ${good.length} ${good.length === 1 ? 'holds' : 'hold'}`);
  }
  return `${lines.join('\n')}\n`;
}

function failureLines({ name, expected, actual, hint, at }: Evaluated, file: string, paint: Paint): string[] {
  const place = paint.dim(`${visible(file)}:${at.line}:${at.column}`);
  return [
    `  ${paint.error('✗')} ${visibleShort(name)}   ${place}`,
    `      expected  ${visible(expected)}`,
    `      actual    ${visible(actual)}`,
    ...(hint === undefined ? [] : [`      → ${visible(hint)}`]),
  ];
}

/** One suite a target. */
export function checkJunit(report: CheckReport): string {
  const suites: JunitSuite[] = [...byTarget(report.evaluated)].map(([name, evaluated]) => ({
    name: visible(name),
    cases: evaluated.map((one) => ({
      name: visible(one.name),
      failures: one.ok
        ? []
        : [failureText(one), ...(one.hint === undefined ? [] : [visible(one.hint)]), placeText(one, report)],
      remarks: [],
    })),
  }));
  return junit(suites);
}

/** Beside the lines of the file that do not hold. */
export function checkAnnotations(report: CheckReport): string {
  return failedOf(report)
    .map((one) => {
      const hint = one.hint === undefined ? '' : `\n${visible(one.hint)}`;
      const { line, column } = one.at;
      const code = visible(`${one.target}: ${one.name}`);
      return githubAnnotation(report.file, {
        code,
        severity: 'error',
        path: '',
        message: `${failureText(one)}${hint}`,
        line,
        column,
      });
    })
    .join('');
}

/** TAP 14; what failed has a YAML block, whose values are JSON strings. */
export function checkTap(report: CheckReport): string {
  const lines = ['TAP version 14', `1..${report.evaluated.length}`];
  for (const [i, one] of report.evaluated.entries()) {
    lines.push(`${one.ok ? 'ok' : 'not ok'} ${i + 1} - ${tapText(`${one.target}: ${one.name}`)}`);
    if (one.ok) continue;
    const { expected, actual, hint } = one;
    const facts = { expected, actual, ...(hint !== undefined && { hint }), at: placeText(one, report) };
    lines.push(
      '  ---',
      ...Object.entries(facts).map(([key, text]) => `  ${key}: ${JSON.stringify(visible(text))}`),
      '  ...',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A `#` would begin a directive, such as SKIP. */
function tapText(text: string): string {
  return visible(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

function failureText({ expected, actual }: Evaluated): string {
  return `expected ${visible(expected)}, but: ${visible(actual)}`;
}

function placeText({ at }: Evaluated, { file }: CheckReport): string {
  return visible(`${file}:${at.line}:${at.column}`);
}

import { byTarget, type CheckReport, checkDocument, type Evaluated, failedOf } from '../../inspect/expect/report.js';
import type { Page } from '../formats.js';
import { visible, visibleShort } from '../visible-text.js';
import { githubAnnotations } from './annotation.js';
import { jsonText } from './json.js';
import { junit } from './junit.js';
import type { Paint } from './paint.js';
import { tap } from './tap.js';

/** The verdict first, then what failed, target by target; what holds is counted, or listed where that is asked for. */
export function checkText(report: CheckReport, { listsAll, paint }: Page): string {
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

export function checkJson(report: CheckReport): string {
  return jsonText(checkDocument(report));
}

/** One suite a target. */
export function checkJunit(report: CheckReport): string {
  const suites = [...byTarget(report.evaluated)].map(([name, evaluated]) => ({
    name,
    cases: evaluated.map((one) => ({
      name: one.name,
      failures: one.ok ? [] : [failureText(one), ...(one.hint === undefined ? [] : [one.hint]), placeText(one, report)],
      remarks: [],
    })),
  }));
  return junit(suites);
}

/** Beside the lines of the file that do not hold. */
export function checkAnnotations(report: CheckReport): string {
  return githubAnnotations(
    failedOf(report).map((one) => ({
      code: visible(`${one.target}: ${one.name}`),
      severity: 'error',
      place: { source: report.file, path: '', line: one.at.line, column: one.at.column },
      message: one.hint === undefined ? failureText(one) : `${failureText(one)}\n${visible(one.hint)}`,
    })),
  );
}

export function checkTap(report: CheckReport): string {
  return tap(
    report.evaluated.map((one) => {
      const { target, name, ok, expected, actual, hint } = one;
      const failure = { expected, actual, ...(hint !== undefined && { hint }), at: placeText(one, report) };
      return { name: `${target}: ${name}`, failure: ok ? undefined : failure };
    }),
  );
}

function failureText({ expected, actual }: Evaluated): string {
  return `expected ${visible(expected)}, but: ${visible(actual)}`;
}

function placeText({ at }: Evaluated, { file }: CheckReport): string {
  return `${file}:${at.line}:${at.column}`;
}

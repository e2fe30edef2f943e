import { countText } from '../../base/count-text.js';
import {
  actualText,
  type CheckReport,
  checkDocument,
  type EvaluatedExpectation,
  evaluatedIn,
  isFailed,
  isSkipped,
  rootFailures,
  type TargetReport,
} from '../../inspect/expect/report.js';
import type { Page } from '../formats.js';
import { visible, visibleShort } from '../visible-text.js';
import { githubAnnotations } from './annotation.js';
import { jsonText } from './json.js';
import { junit } from './junit.js';
import type { Paint } from './paint.js';
import { tap } from './tap.js';
import { verdictList } from './verdict-list.js';
import { wrapped } from './wrap.js';

/**
 * Unexpected verdicts first, since other failures may follow from them; then the failed expectations of each target.
 * Expectations that hold or were skipped are counted, or listed with `listsAll`.
 */
export function checkText(report: CheckReport, page: Page): string {
  const roots = rootFailures(report).map(({ target, verdict }) => ({ name: target, verdict }));
  const lines = [...verdictList(roots, page), `${countsText(report, page.paint)} · ${visible(report.file)}`];
  if (report.remark !== '') lines.push(page.paint.warning(visible(report.remark)));
  for (const target of report.targets) lines.push('', ...targetLines(target, report.file, page));
  return `${lines.join('\n')}\n`;
}

/** `1 of 9 expectations failed, 6 skipped` */
function countsText(report: CheckReport, paint: Paint): string {
  const all = evaluatedIn(report);
  const failed = all.filter(isFailed).length;
  const skipped = all.filter(isSkipped).length;
  if (failed === 0) return paint.good(all.length === 1 ? '1 expectation holds' : `all ${all.length} expectations hold`);
  const text = paint.error(`${failed} of ${countText(all.length, 'expectation')} failed`);
  return skipped === 0 ? text : `${text}, ${skipped} skipped`;
}

function targetLines(report: TargetReport, file: string, page: Page): string[] {
  const { evaluated } = report;
  const { paint, listsAll } = page;
  const good = evaluated.filter(({ ok }) => ok);
  const lines = [
    ...headingLines(report, page),
    ...evaluated.filter(isFailed).flatMap((one) => failureLines(one, file, page)),
  ];
  for (const [cause, skipped] of byCause(evaluated)) lines.push(...skippedLines(cause, skipped, page));
  if (listsAll)
    for (const one of good) lines.push(`  ${paint.good('✓')} ${visibleShort(one.name)}: ${visibleShort(one.actual)}`);
  else if (good.length > 0) lines.push(`  ${paint.good('✓')} ${good.length} ${good.length === 1 ? 'holds' : 'hold'}`);
  return lines;
}

/** The cause of an unexpected verdict is in the first lines of the report. */
function headingLines({ target, verdict, isUnexpected }: TargetReport, page: Page): string[] {
  if (verdict === undefined || isUnexpected) return [visible(target)];
  return verdictList([{ name: target, verdict }], page);
}

/** Skipped expectations, grouped by the expectation that they depend on. */
function byCause(evaluated: readonly EvaluatedExpectation[]): Map<string, EvaluatedExpectation[]> {
  const causes = new Map<string, EvaluatedExpectation[]>();
  for (const one of evaluated) {
    if (one.dependsOn === undefined) continue;
    causes.set(one.dependsOn, [...(causes.get(one.dependsOn) ?? []), one]);
  }
  return causes;
}

function skippedLines(cause: string, skipped: readonly EvaluatedExpectation[], { listsAll, paint }: Page): string[] {
  const mark = paint.warning('-');
  if (!listsAll && skipped.length > 1) return [`  ${mark} ${skipped.length} skipped: they depend on ${visible(cause)}`];
  return skipped.map(({ name }) => `  ${mark} ${visibleShort(name)}   skipped: depends on ${visible(cause)}`);
}

function failureLines(
  { name, expected, actual, hint, at }: EvaluatedExpectation,
  file: string,
  { paint, width }: Page,
): string[] {
  const place = paint.dim(`${visible(file)}:${at.line}:${at.column}`);
  const facts = [
    `      expected  ${visible(expected)}`,
    `      actual    ${visible(actual)}`,
    ...(hint === undefined ? [] : [`      → ${visible(hint)}`]),
  ];
  const wide = facts.flatMap((line) => wrapped(line, width, ' '.repeat(line.startsWith('      →') ? 8 : 16)));
  return [`  ${paint.error('✗')} ${visibleShort(name)}   ${place}`, ...wide];
}

export function checkJson(report: CheckReport): string {
  return jsonText(checkDocument(report));
}

/** One suite per target. */
export function checkJunit(report: CheckReport): string {
  const suites = report.targets.map(({ target, took, evaluated }) => ({
    name: target,
    ms: took,
    cases: evaluated.map((one) => ({
      name: one.name,
      ms: one.after,
      failures: isFailed(one)
        ? [failureText(one), ...(one.hint === undefined ? [] : [one.hint]), placeText(one, report)]
        : [],
      skipped: one.dependsOn === undefined ? undefined : `depends on ${one.dependsOn}`,
      remarks: [],
    })),
  }));
  return junit(suites);
}

/** Annotations on the lines of failed expectations. */
export function checkAnnotations(report: CheckReport): string {
  return githubAnnotations(
    report.targets.flatMap(({ target, evaluated }) =>
      evaluated.filter(isFailed).map((one) => ({
        code: visible(`${target}: ${one.name}`),
        severity: 'error' as const,
        place: { source: report.file, path: '', line: one.at.line, column: one.at.column },
        message: one.hint === undefined ? failureText(one) : `${failureText(one)}\n${visible(one.hint)}`,
      })),
    ),
  );
}

export function checkTap(report: CheckReport): string {
  return tap(
    report.targets.flatMap(({ target, evaluated }) =>
      evaluated.map((one) => {
        const { name, expected, hint, dependsOn } = one;
        const facts = {
          expected,
          actual: actualText(one),
          ...(hint !== undefined && { hint }),
          at: placeText(one, report),
        };
        return {
          name: `${target}: ${name}`,
          failure: isFailed(one) ? facts : undefined,
          skipped: dependsOn === undefined ? undefined : `depends on ${dependsOn}`,
        };
      }),
    ),
  );
}

function failureText(one: EvaluatedExpectation): string {
  return `expected ${visible(one.expected)}, but: ${visible(actualText(one))}`;
}

function placeText({ at }: EvaluatedExpectation, { file }: CheckReport): string {
  return `${file}:${at.line}:${at.column}`;
}

import { EXIT } from '../../src/base/exit-codes.ts';
import { visible } from '../../src/view/visible-text.ts';
import type { Annotation } from './annotation.ts';
import type { CheckResult } from './run-check.ts';

/** GitHub drops a summary of more than 1 MiB. */
const MAX_ANNOTATIONS = 200;
const MAX_MESSAGE = 1000;

/** The summary of a job, in GitHub's Markdown. All texts of files and control planes are escaped. */
export function jobSummary(results: readonly CheckResult[], errors: readonly string[], artifact?: string): string {
  const failed = results.filter(({ code }) => code !== EXIT.ok).length + errors.length;
  const total = results.length + errors.length;
  const lines = [`## xds-inspect: ${failed === 0 ? 'passed' : `${failed} of ${total} failed`}`, ''];
  if (total === 0) lines.push('The inputs name nothing to check. Later steps can use <code>xds-inspect</code>.', '');
  if (errors.length > 0) lines.push('<pre>', ...errors.map(escaped), '</pre>', '');
  if (results.length > 0) lines.push(...table(results));
  const annotations = results.flatMap((result) => result.annotations);
  if (annotations.length > 0) lines.push(...list(annotations));
  if (artifact !== undefined) lines.push(`The report pages are in the artifact <code>${escaped(artifact)}</code>.`, '');
  return `${lines.join('\n')}\n`;
}

function table(results: readonly CheckResult[]): string[] {
  const rows = results.map(
    ({ check, code, summary }) =>
      `<tr><td>${code === EXIT.ok ? 'passed' : 'failed'}</td><td><code>${escaped(shortened(check.title))}</code></td><td><code>${escaped(shortened(summary))}</code></td></tr>`,
  );
  return ['<table>', '<tr><th>result</th><th>command</th><th>detail</th></tr>', ...rows, '</table>', ''];
}

function list(annotations: readonly Annotation[]): string[] {
  const shown = annotations.slice(0, MAX_ANNOTATIONS).map(({ level, file, line, column, title, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    const [first = '', ...more] = shortened(message).split('\n');
    return [
      `${level.padEnd(7)}  ${place === '' ? '' : `${place}  `}${title}  ${first}`,
      ...more.map((text) => `         ${text}`),
    ].join('\n');
  });
  const rest = annotations.length - shown.length;
  if (rest > 0) shown.push(`and ${rest} more`);
  return ['<pre>', ...shown.map(escaped), '</pre>', ''];
}

const shortened = (text: string): string => (text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text);

/** Text in an HTML block, which ends at a blank line. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map((line) => visible(line))
    .filter((line) => line.trim() !== '')
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

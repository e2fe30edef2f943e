import type { LocatedFinding } from '../../base/finding.js';
import { visible } from '../visible-text.js';

/** Workflow commands, which GitHub shows as annotations next to the lines. */
export function githubAnnotations(findings: readonly Omit<LocatedFinding, 'advice'>[]): string {
  return findings
    .map(({ code, severity, place: { source, path, line, column }, message }) => {
      const level = severity === 'note' ? 'notice' : severity;
      const at = `file=${property(source)},line=${line},col=${column},title=${property(code)}`;
      return `::${level} ${at}::${data(path === '' ? message : `${path}: ${message}`)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return text
    .split(/\r?\n|\r/)
    .map((line) => visible(line).replaceAll('%', '%25'))
    .join('%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

import type { LocatedFinding } from '../../base/finding.js';
import { visible } from '../visible-text.js';

/** A finding, or a fact about something that is not in a file. */
export type Annotation = Pick<LocatedFinding, 'code' | 'severity' | 'message'> & {
  place: LocatedFinding['place'] | null;
};

/** Workflow commands, which GitHub shows as annotations next to the lines. */
export function githubAnnotations(findings: readonly Annotation[]): string {
  return findings
    .map(({ code, severity, place, message }) => {
      const level = severity === 'note' ? 'notice' : severity;
      const at = place === null ? '' : `file=${property(place.source)},line=${place.line},col=${place.column},`;
      const path = place?.path ?? '';
      return `::${level} ${at}title=${property(code)}::${data(path === '' ? message : `${path}: ${message}`)}\n`;
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

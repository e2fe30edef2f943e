import { visible } from '../visible-text.js';

/** What an annotation needs to know. */
interface Annotated {
  code: string;
  severity: 'error' | 'warning' | 'note';
  path: string;
  message: string;
  line: number;
  column: number;
}

/** A workflow command that GitHub shows beside the line. */
export function githubAnnotation(file: string, { code, severity, path, message, line, column }: Annotated): string {
  const level = severity === 'note' ? 'notice' : severity;
  const place = `file=${property(file)},line=${line},col=${column},title=${property(code)}`;
  return `::${level} ${place}::${data(path === '' ? message : `${path}: ${message}`)}\n`;
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

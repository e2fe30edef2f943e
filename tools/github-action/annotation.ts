/** What GitHub shows beside a line of a file, or above the log. */
export interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

const COMMAND = /^::(error|warning|notice)(?: (.*?))?::(.*)$/;

/** Reads a line of `-o github`; undefined if it is not an annotation. */
export function parseAnnotation(text: string): Annotation | undefined {
  const [, level, list = '', message = ''] = COMMAND.exec(text) ?? [];
  if (level === undefined) return undefined;
  const properties = new Map(
    list.split(',').map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name, decoded(value)];
    }),
  );
  const [file, line, column] = [properties.get('file'), properties.get('line'), properties.get('col')];
  return {
    level: level as Annotation['level'],
    title: properties.get('title') ?? '',
    message: decoded(message),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
}

/** The workflow command that shows an annotation. */
export function annotationLine({ level, title, message, file, line, column }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${encoded(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${encoded(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${encodedData(message)}`;
}

const encodedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const encoded = (text: string): string => encodedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const decoded = (text: string): string =>
  text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');

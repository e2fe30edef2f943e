import { formatPath } from '../../base/problem.js';
import type { Documents } from '../documents.js';
import { githubAnnotations } from './annotation.js';

/** Annotations on the lines of an expectations file that have problems. */
export function problemAnnotations({ source, problems }: Documents['problems']): string {
  return githubAnnotations(
    problems.map(({ path, message, line, column }) => ({
      code: 'expectations',
      severity: 'error',
      place: { source, path: formatPath(path), line, column },
      message,
    })),
  );
}

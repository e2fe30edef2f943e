import { formatPath } from '../../base/problem.js';
import type { Documents } from '../documents.js';
import { githubAnnotations } from './annotation.js';

/** Problems of an expectations file, beside its lines. */
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

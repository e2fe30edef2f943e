import { formatPath } from '../../base/problem.js';
import type { Documents } from '../documents.js';
import { githubAnnotation } from './annotation.js';

/** Problems of an expectations file, beside its lines. */
export function problemAnnotations({ source, problems }: Documents['problems']): string {
  return problems
    .map((problem) =>
      githubAnnotation(source, {
        ...problem,
        path: formatPath(problem.path),
        code: 'expectations',
        severity: 'error',
      }),
    )
    .join('');
}

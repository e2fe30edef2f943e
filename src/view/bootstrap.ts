import type { BootstrapReport } from '../bootstrap/report.js';
import { locatedView } from '../inspect/finding-view.js';

/** The document of `bootstrap validate -o json`. */
export function bootstrapDocument({ problems, ...report }: BootstrapReport): object {
  return { schema: 'xds-inspect/bootstrap/v1', ...report, problems: problems.map(locatedView) };
}

/** The part of the output of `npm audit --json` that is used here. */
export interface AuditReport {
  auditReportVersion: 2;
  vulnerabilities: Readonly<Record<string, Vulnerability>>;
}

interface Vulnerability {
  name: string;
  /** Advisories of the package itself, and names of dependencies through which it is affected. */
  via: readonly (string | Advisory)[];
  /** The folders of the affected installations. */
  nodes: readonly string[];
}

interface Advisory {
  title: string;
  url: string;
  severity: string;
}

export interface Advisories {
  /** Those of bundled packages, of severity high or critical. */
  failures: string[];
  /** The others of bundled packages. */
  warnings: string[];
  /** The number of advisories of packages that only development uses. */
  others: number;
}

const FAILING: ReadonlySet<string> = new Set(['high', 'critical']);

/** Whether npm has printed a report. Without the registry, it prints an error. */
export function isAuditReport(value: unknown): value is AuditReport {
  return typeof value === 'object' && value !== null && 'vulnerabilities' in value;
}

/**
 * Sorts the advisories of a report.
 * @param bundled Whether the package in a folder is bundled.
 */
export function sortAdvisories(report: AuditReport, bundled: (folder: string) => boolean): Advisories {
  const sorted: Advisories = { failures: [], warnings: [], others: 0 };
  for (const { name, via, nodes } of Object.values(report.vulnerabilities)) {
    const isBundled = nodes.some(bundled);
    for (const advisory of via) {
      // The dependency has its own entry.
      if (typeof advisory === 'string') continue;
      const { title, url, severity } = advisory;
      if (!isBundled) sorted.others++;
      else sorted[FAILING.has(severity) ? 'failures' : 'warnings'].push(`${name}: ${severity}: ${title} ${url}`);
    }
  }
  return sorted;
}

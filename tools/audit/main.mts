import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sbom } from '../build/sbom.ts';
import { isAuditReport, sortAdvisories } from './advisories.ts';

// Asks the registry for known vulnerabilities of the packages in the bundle. Requires a build.
const root = join(import.meta.dirname, '../..');
const list = join(root, 'dist/sbom.cdx.json');
if (!existsSync(list)) {
  console.error('dist/sbom.cdx.json does not exist: npm run build writes it');
  process.exit(1);
}
// npm repeats a request for minutes by default.
const flags = ['--json', '--fetch-retries=0', '--fetch-timeout=30000'];
const { stdout } = spawnSync('npm', ['audit', ...flags], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const report = parsed(stdout);
if (isAuditReport(report)) {
  const { components } = JSON.parse(readFileSync(list, 'utf8')) as Sbom;
  const references = new Set(components.map((one) => one['bom-ref']));
  const { failures, warnings, others } = sortAdvisories(report, (folder) => references.has(referenceOf(folder)));
  for (const line of failures) console.log(`FAILED: ${line}`);
  for (const line of warnings) console.log(`warning: ${line}`);
  if (others > 0) console.log(`${others} advisories of packages that only development uses: npm audit`);
  console.log(
    `${references.size} bundled packages, ${failures.length} known vulnerabilities of severity high or critical`,
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
} else console.log('skipped: the registry did not answer');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function referenceOf(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    return `${name}@${version}`;
  } catch {
    // An optional package of another platform.
    return undefined;
  }
}

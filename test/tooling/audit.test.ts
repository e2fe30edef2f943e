import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AuditReport, isAuditReport, sortAdvisories } from '../../tools/audit/advisories.ts';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT } from '../support/root.js';

function vulnerability(name: string, severity: string, ...others: string[]) {
  const advisory = { title: `${name} is bad`, url: `https://example.com/${name}`, severity };
  return { name, via: [...others, advisory], nodes: [`node_modules/${name}`] };
}

function report(...list: ReturnType<typeof vulnerability>[]): AuditReport {
  return { auditReportVersion: 2, vulnerabilities: Object.fromEntries(list.map((one) => [one.name, one])) };
}

/** Runs the audit with a program in place of npm that prints this. */
function audit(printed: string, exitCode: number) {
  const folder = temporaryFolder();
  const npm = join(folder, 'npm');
  writeFileSync(join(folder, 'printed'), printed);
  writeFileSync(npm, `#!/bin/sh\ncat '${join(folder, 'printed')}'\nexit ${exitCode}\n`);
  chmodSync(npm, 0o755);
  const argv = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, 'tools/audit/main.mts')];
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { status, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', env });
  return { status, stdout };
}

describe('the advisories on bundled packages', () => {
  const bundled = (folder: string): boolean => folder === 'node_modules/yaml';

  it.each([
    ['critical', { failures: ['yaml: critical: yaml is bad https://example.com/yaml'], warnings: [], others: 0 }],
    ['high', { failures: ['yaml: high: yaml is bad https://example.com/yaml'], warnings: [], others: 0 }],
    ['moderate', { failures: [], warnings: ['yaml: moderate: yaml is bad https://example.com/yaml'], others: 0 }],
    ['low', { failures: [], warnings: ['yaml: low: yaml is bad https://example.com/yaml'], others: 0 }],
  ])('fail from severity high on: %s', (severity, sorted) => {
    expect(sortAdvisories(report(vulnerability('yaml', severity)), bundled)).toEqual(sorted);
  });

  it('do not include packages that only development uses, nor those affected through them', () => {
    const through = { ...vulnerability('yaml', 'high'), via: ['vitest'] };
    expect(sortAdvisories(report(vulnerability('vitest', 'critical'), through), bundled)).toEqual({
      failures: [],
      warnings: [],
      others: 1,
    });
  });
});

describe('npm run audit', () => {
  it('fails for a vulnerable bundled package', () => {
    const { status, stdout } = audit(JSON.stringify(report(vulnerability('yaml', 'high'))), 1);
    expect(stdout).toMatch(/^FAILED: yaml: high: .*\n\d+ bundled packages, 1 known vulnerabilities/);
    expect(status).toBe(1);
  });

  it('passes and says so if the registry does not answer', () => {
    const printed = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } });
    expect(audit(printed, 1)).toEqual({ status: 0, stdout: 'skipped: the registry did not answer\n' });
  });

  it('knows a report by its vulnerabilities', () => {
    expect([{}, null, 'x', { error: {} }, report()].map(isAuditReport)).toEqual([false, false, false, false, true]);
  });
});

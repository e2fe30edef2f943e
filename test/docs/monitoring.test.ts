import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { INSTRUMENTS, type InstrumentName, prometheusName } from '../../src/inspect/metrics/instruments.js';
import {
  type AlertRule,
  MONITORING,
  type Panel,
  panelQueries,
  RULE_TESTS_FILE,
  readDashboard,
  readRules,
} from '../support/monitoring-files.js';
import { ROOT } from '../support/root.js';
import { unknownFlags } from './command-lines.js';
import { labelsIn, unknownNames } from './metric-labels.js';

const UPDATES = process.env.UPDATE_DOCS === '1';
const PAGE = join(MONITORING, 'README.md');
const ALERTS: AlertRule[] = readRules().groups.flatMap(({ rules }) => rules);
const DASHBOARD = readDashboard();

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The expressions in the template of an annotation, and the labels that it prints. */
function templateParts(text: string): { queries: string[]; labels: string[] } {
  const queries = [...text.matchAll(/printf "(xds_[^`]*?)" \$/g)].map(([, query = '']) =>
    query.replaceAll('%q', '"$any"'),
  );
  return { queries, labels: [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label) };
}

const minutes = (rule: AlertRule): string => {
  const count = Number(/^(\d+)m$/.exec(rule.for ?? '0m')?.[1]);
  return count === 0 ? 'at once' : `after ${count} minute${count === 1 ? '' : 's'}`;
};

const titleOf = (page: string): string => /^# \w+: (.+)$/m.exec(page)?.[1] ?? '';

function alertTable(): string {
  const rows = ALERTS.map((rule) => {
    const { alert, labels, annotations } = rule;
    return `| [${alert}](alerts/${alert}.md) | ${labels.severity} | ${minutes(rule)} | ${titleOf(read(annotations.runbook_url))} |`;
  });
  return ['| alert | severity | fires | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

const TABLE = /(?<=<!-- alerts -->\n)[\s\S]*?(?=<!-- end of alerts -->)/;

if (UPDATES)
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(TABLE, () => `${alertTable()}\n`),
  );

describe('docs/monitoring/xds-inspect.rules.yaml', () => {
  it.each(ALERTS)('$alert uses only metrics, labels and values that exist', ({ expr, annotations }) => {
    expect(unknownNames(expr)).toEqual([]);
    for (const text of [annotations.summary, annotations.description]) {
      const { queries, labels } = templateParts(text);
      expect(queries.flatMap(unknownNames)).toEqual([]);
      expect(labels.filter((label) => !labelsIn(expr).includes(label))).toEqual([]);
      expect(text.split('printf "xds_').length - 1, 'queries found').toBe(queries.length);
    }
  });

  it.each(ALERTS)('$alert selects the job in every selector', ({ expr }) => {
    const selectors = expr.match(/\b(?:xds_inspect|grpc_xds|up)\w*(?=\{)/g) ?? [];
    expect(selectors.length).toBeGreaterThan(0);
    expect(expr.match(/\{job="xds-inspect"/g)).toHaveLength(selectors.length);
  });

  it.each(ALERTS)('$alert links to its page, which has its severity and duration', (rule) => {
    const { alert, labels, annotations } = rule;
    expect(annotations.runbook_url).toBe(`docs/monitoring/alerts/${alert}.md`);
    const page = read(annotations.runbook_url);
    expect(page.startsWith(`# ${alert}: `)).toBe(true);
    expect(page).toContain(`\n\nSeverity: ${labels.severity}, ${minutes(rule)}\n\n`);
    expect(page).toContain('\n## What to do\n');
  });

  it.each(ALERTS)('$alert ends with the command to run next, in quotes if it has a target', ({ annotations }) => {
    const [, next = ''] = /Next: (.+)$/.exec(annotations.description) ?? [];
    expect(next).not.toBe('');
    for (const line of next.split(', then '))
      if (line.startsWith('xds-inspect ')) expect(unknownFlags(line)).toEqual([]);
    expect(next).not.toMatch(/[^']\{\{ \$labels\.(?:grpc_)?target \}\}/);
  });

  it.each(ALERTS)('$alert has a unit test in which it fires, and one in which it does not', ({ alert }) => {
    interface Check {
      alertname: string;
      exp_alerts: object[];
    }
    const { tests } = parse(readFileSync(RULE_TESTS_FILE, 'utf8')) as { tests: { alert_rule_test: Check[] }[] };
    const own = tests.map(({ alert_rule_test: checks }) => checks.filter(({ alertname }) => alertname === alert));
    expect(own.some((checks) => checks.some(({ exp_alerts: alerts }) => alerts.length > 0))).toBe(true);
    expect(
      own.some((checks) => checks.length > 0 && checks.every(({ exp_alerts: alerts }) => alerts.length === 0)),
    ).toBe(true);
  });

  it('has an alert for every page, and none twice', () => {
    const pages = readdirSync(join(MONITORING, 'alerts')).map((name) => name.replace(/\.md$/, ''));
    expect(pages.sort()).toEqual(ALERTS.map(({ alert }) => alert).sort());
  });
});

describe('unknownNames', () => {
  it.each([
    ['xds_inspect_target_verdict{verdict="broken"}', ['value broken of verdict']],
    ['xds_inspect_target_verdict{server="a"}', ['label server of xds_inspect_target_verdict']],
    ['rate(xds_inspect_tears[5m])', ['metric xds_inspect_tears']],
    ['sum by (code) (grpc_xds_client_connected)', ['label code']],
    ['grpc_xds_client_resources{grpc_xds_cache_state=~"acked|gone"}', ['value gone of grpc_xds_cache_state']],
    ['sum by (grpc_xds_client_connected', ['not PromQL: ']],
  ])('finds the mistakes in %s', (expression, mistakes) => {
    expect(unknownNames(expression)).toEqual(mistakes.map((mistake) => expect.stringContaining(mistake)));
  });
});

/** Grafana replaces these before it sends a query. */
const withValues = (expr: string): string => expr.replaceAll(/\$__(?:rate_interval|range|interval)/g, '5m');

describe('docs/monitoring/grafana-dashboard.json', () => {
  const queries = panelQueries(DASHBOARD);

  it.each(queries)('uses only metrics, labels and values that exist in $title', ({ query }) => {
    expect(unknownNames(withValues(query.expr))).toEqual([]);
    const labels = [...(query.legendFormat ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    expect(labels.filter((label) => !labelsIn(withValues(query.expr)).includes(label))).toEqual([]);
  });

  it('shows every metric', () => {
    const shown = queries.map(({ query }) => query.expr).join('\n');
    const names = (Object.keys(INSTRUMENTS) as InstrumentName[]).map(prometheusName);
    expect(names.filter((name) => !new RegExp(`\\b${name}(_bucket|_count)?\\b`).test(shown))).toEqual([]);
  });

  it('uses only its variables, and the data source that the user selects', () => {
    const variables = DASHBOARD.templating.list.map(({ name }) => name);
    expect(variables).toEqual(['datasource', 'job', 'instance', 'target']);
    const { panels, annotations } = DASHBOARD;
    const used = [...JSON.stringify([panels, annotations]).matchAll(/\$\{?(?!__)(\w+)/g)].map(([, name = '']) => name);
    expect([...new Set(used)].sort()).toEqual(variables.sort());
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of Grafana.
    for (const { query } of queries) expect(query.datasource.uid).toBe('${datasource}');
  });

  it('fills its variables with labels that exist', () => {
    for (const { type, query } of DASHBOARD.templating.list.filter((one) => one.type === 'query')) {
      const text = typeof query === 'string' ? query : query.query;
      const [, selector = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(text) ?? [];
      expect(unknownNames(selector), type).toEqual([]);
      expect(labelsIn(selector)).toContain(label);
    }
  });

  it('has panels with distinct ids and descriptions, which do not overlap', () => {
    const { panels } = DASHBOARD;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const panel of panels) {
      expect(panel.gridPos.x + panel.gridPos.w, panel.title).toBeLessThanOrEqual(24);
      if (panel.type !== 'row') expect(panel.description, panel.title).toMatch(/\.$/);
    }
    const pairs = panels.flatMap((a, i) => panels.slice(i + 1).map((b) => [a, b] as const));
    expect(pairs.filter(([a, b]) => doOverlap(a, b)).map(([a, b]) => `${a.title}, ${b.title}`)).toEqual([]);
  });
});

function doOverlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

describe('docs/monitoring/README.md', () => {
  const page = readFileSync(PAGE, 'utf8');

  it('lists every alert with its severity and meaning', () => {
    expect(TABLE.exec(page)?.[0]).toBe(`${alertTable()}\n`);
  });

  it('lists every row of the dashboard', () => {
    const rows = DASHBOARD.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    const listed = [...page.slice(page.indexOf('## Dashboard')).matchAll(/^\| ([A-Z]\w+) \|/gm)].map(([, row]) => row);
    expect(listed).toEqual(rows);
  });

  it('has examples that are valid YAML and run existing flags', () => {
    const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(blocks.length).toBeGreaterThan(3);
    for (const text of blocks) for (const document of parseAllDocuments(text)) expect(document.errors).toEqual([]);
    const deployment = blocks.map((text) => parse(text)).find(({ kind }) => kind === 'Deployment');
    const { args } = deployment.spec.template.spec.containers[0] as { args: string[] };
    const [, unit = ''] = /^ExecStart=(.+)$/m.exec(page) ?? [];
    for (const line of [`xds-inspect ${args.join(' ')}`, unit]) expect(unknownFlags(line), line).toEqual([]);
  });
});

describe('the pages of alerts', () => {
  it.each(ALERTS)('$alert has commands with existing flags only', ({ annotations }) => {
    const page = read(annotations.runbook_url);
    const lines = [...page.matchAll(/(?:`|^)(xds-inspect [^`\n]+)/gm)].map(([, line = '']) => line);
    for (const line of lines) expect(unknownFlags(line), line).toEqual([]);
  });

  it.each(ALERTS)('$alert links only to headings that exist', ({ annotations }) => {
    for (const [, target = '', anchor = ''] of read(annotations.runbook_url).matchAll(
      /\]\(([^)#:]+)(?:#([^)]+))?\)/g,
    )) {
      const path = join(MONITORING, 'alerts', target);
      expect(existsSync(path), target).toBe(true);
      if (anchor !== '') expect(anchorsOf(readFileSync(path, 'utf8')), `${target}#${anchor}`).toContain(anchor);
    }
  });
});

/** The anchors of the headings of a page, as Git hosts derive them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

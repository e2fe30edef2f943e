import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './root.js';

export const MONITORING = join(ROOT, 'docs/monitoring');
export const RULES_FILE = join(MONITORING, 'xds-inspect.rules.yaml');
export const RULE_TESTS_FILE = join(ROOT, 'test/interop/rules/alerts.test.yaml');

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export interface RuleFile {
  groups: { name: string; rules: AlertRule[] }[];
}

export function readRules(): RuleFile {
  return parse(readFileSync(RULES_FILE, 'utf8')) as RuleFile;
}

interface PanelQuery {
  expr: string;
  legendFormat?: string;
  datasource: { uid: string };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: PanelQuery[];
}

export interface Dashboard {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
  annotations: { list: { expr: string }[] };
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(join(MONITORING, 'grafana-dashboard.json'), 'utf8')) as Dashboard;
}

/** The queries of panels, each with the title of its panel. */
export function panelQueries({ panels }: Dashboard): { title: string; query: PanelQuery }[] {
  return panels.flatMap(({ title, targets = [] }) => targets.map((query) => ({ title, query })));
}

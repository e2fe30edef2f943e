import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { later } from '../../support/clean-up.js';
import { RULES_FILE, type RuleFile } from '../../support/monitoring-files.js';
import { commandOf } from './built-peers.js';
import { startProgram } from './built-program.js';
import { eventually } from './eventually.js';

/** Runs promtool and returns its exit code with all of its output. */
export function promtool(args: readonly string[], input = ''): Promise<{ code: number | null; output: string }> {
  const [file, ...more] = commandOf('promtool');
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...more, ...args]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += text;
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** A sample of an instant query. */
export interface Sample {
  metric: Record<string, string>;
  value: number;
}

export interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: 'pending' | 'firing';
}

/** How often Prometheus scrapes, which is also the longest time of a scrape, and how often it evaluates rules. */
const SCRAPE_INTERVAL = '1s';
const EVALUATION_INTERVAL = '250ms';

/** The rules in use, and a copy that differs in one point: its alerts fire at once. */
const RULES = { asPublished: 'published.rules.yaml', atOnce: 'at-once.rules.yaml' };

/** A Prometheus with its own configuration, port and data; it ends with the test. */
export class Prometheus {
  readonly #origin: string;

  private constructor(origin: string) {
    this.#origin = origin;
  }

  /** Scrapes these addresses of `--metrics-port`. */
  static async start(addresses: readonly string[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-prometheus-'));
    copyFileSync(RULES_FILE, join(folder, RULES.asPublished));
    writeFileSync(join(folder, RULES.atOnce), rulesAtOnce());
    const config = {
      global: {
        scrape_interval: SCRAPE_INTERVAL,
        scrape_timeout: SCRAPE_INTERVAL,
        evaluation_interval: EVALUATION_INTERVAL,
      },
      rule_files: Object.values(RULES),
      scrape_configs: [{ job_name: 'xds-inspect', static_configs: [{ targets: addresses }] }],
    };
    const configFile = join(folder, 'prometheus.yml');
    writeFileSync(configFile, stringify(config));
    const [file, ...args] = commandOf('prometheus');
    const running = startProgram(file, [
      ...args,
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--log.format=json',
    ]);
    // After its end; it may take a moment to end, and write until then.
    later(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const listens = /"address":"(127\.0\.0\.1:[1-9]\d*)"/;
    const log = await eventually(
      () => running.stderr,
      (text) => listens.test(text),
      'Prometheus listens',
    );
    const prometheus = new Prometheus(`http://${listens.exec(log)?.[1]}`);
    await eventually(
      async () => (await fetch(`${prometheus.#origin}/-/ready`)).status,
      (status) => status === 200,
      'Prometheus is ready',
    );
    return prometheus;
  }

  /** An instant query. */
  async query(query: string): Promise<Sample[]> {
    const { result } = await this.#get<{ result: { metric: Sample['metric']; value: [number, string] }[] }>('query', {
      query,
    });
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  }

  /** Alerts of the rules as published, which wait before they fire. */
  pending(): Promise<Alert[]> {
    return this.#alerts(RULES.asPublished);
  }

  /** Alerts of the rules that fire at once. */
  firing(): Promise<Alert[]> {
    return this.#alerts(RULES.atOnce);
  }

  async #alerts(file: string): Promise<Alert[]> {
    const { groups } = await this.#get<{ groups: { file: string; rules: { alerts: Alert[] }[] }[] }>('rules', {
      type: 'alert',
    });
    return groups
      .flatMap((group) => (basename(group.file) === file ? group.rules : []))
      .flatMap(({ alerts }) => alerts);
  }

  async #get<Data>(path: string, parameters: Record<string, string>): Promise<Data> {
    const response = await fetch(`${this.#origin}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }
}

function rulesAtOnce(): string {
  const { groups } = parse(readFileSync(RULES_FILE, 'utf8')) as RuleFile;
  const copy = groups.map((group) => ({ ...group, rules: group.rules.map((rule) => ({ ...rule, for: '0s' })) }));
  return stringify({ groups: copy });
}

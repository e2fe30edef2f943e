import { commandOf } from './built-peers.js';
import { type RunningProgram, startProgram } from './built-program.js';
import { eventually } from './eventually.js';

/** A data point that the collector printed. */
export interface DataPoint {
  metric: string;
  unit: string;
  /** `Gauge`, `Sum` or `Histogram`. */
  type: string;
  /** `Cumulative` or `Delta`; empty for a gauge. */
  temporality: string;
  attributes: Record<string, string>;
  /** The value; of a histogram, the count. */
  value: number;
}

const LOOPBACK = { endpoint: '127.0.0.1:0' };
const CONFIG = {
  receivers: { otlp: { protocols: { grpc: LOOPBACK, http: LOOPBACK } } },
  exporters: { debug: { verbosity: 'detailed', use_internal_logger: false } },
  service: {
    telemetry: { metrics: { level: 'none' }, logs: { encoding: 'json' } },
    pipelines: { metrics: { receivers: ['otlp'], exporters: ['debug'] } },
  },
};

/** An OpenTelemetry collector on loopback that prints the metrics that it receives; it ends with the test. */
export class Collector {
  readonly grpc: string;
  readonly http: string;
  readonly #running: RunningProgram;

  private constructor(running: RunningProgram, grpc: string, http: string) {
    this.#running = running;
    this.grpc = grpc;
    this.http = http;
  }

  static async start(): Promise<Collector> {
    const [file, ...args] = commandOf('otel-collector');
    const running = startProgram(file, [...args, '--config', `yaml:${JSON.stringify(CONFIG)}`]);
    const endpoint = (server: string): string =>
      new RegExp(`"Starting ${server} server".*"endpoint":"([^"]+)"`).exec(running.stderr)?.[1] ?? '';
    await eventually(
      () => running.stderr,
      (log) => log.includes('Everything is ready'),
      'the collector runs',
    );
    return new Collector(running, `http://${endpoint('GRPC')}`, `http://${endpoint('HTTP')}`);
  }

  /** The attributes of the processes that sent metrics. */
  get resources(): Record<string, string>[] {
    const blocks = this.#printed.split(/^Resource attributes:\n/m).slice(1);
    return blocks.map((block) => readAttributes(/^(?: {5}-> .*\n)*/.exec(block)?.[0] ?? ''));
  }

  /** All data points so far, in order. */
  get points(): DataPoint[] {
    return this.#printed
      .split(/^Metric #\d+\n/m)
      .slice(1)
      .flatMap(readMetric);
  }

  /** The output without its last message, which may be incomplete. */
  get #printed(): string {
    const { stdout } = this.#running;
    return stdout.slice(0, stdout.lastIndexOf('\n\n') + 1);
  }
}

function readMetric(text: string): DataPoint[] {
  const [descriptor = '', ...points] = text.split(/^(?:Number|Histogram)DataPoints #\d+\n/m);
  const field = (name: string): string => new RegExp(`^ +-> ${name}: (.*)$`, 'm').exec(descriptor)?.[1] ?? '';
  return points.map((point) => ({
    metric: field('Name'),
    unit: field('Unit'),
    type: field('DataType'),
    temporality: field('AggregationTemporality'),
    attributes: readAttributes(point),
    value: Number(/^(?:Value|Count): (\S+)$/m.exec(point)?.[1] ?? Number.NaN),
  }));
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^ +-> (\S+): Str\((.*)\)$/gm)].map(([, key, value]) => [key, value]));
}

import { readAttributes } from './resource.js';

type Variables = Readonly<Record<string, string | undefined>>;

const OTLP_PROTOCOLS = ['http/protobuf', 'http/json', 'grpc'] as const;
type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number];

/** Which metrics contain only the change since the previous export. */
const TEMPORALITIES = ['cumulative', 'delta', 'lowmemory'] as const;
type Temporality = (typeof TEMPORALITIES)[number];

/** Where and how to send metrics. */
export interface OtlpSettings {
  url: URL;
  protocol: OtlpProtocol;
  /** They may contain credentials: no output shows them. */
  headers: Readonly<Record<string, string>>;
  isCompressed: boolean;
  timeoutMs: number;
  intervalMs: number;
  temporality: Temporality;
  /** Paths of PEM files. */
  tls: { ca: string | undefined; cert: string | undefined; key: string | undefined };
}

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** The longest timer of Node. */
const MAX_MS = 2 ** 31 - 1;

/** Reads the variables of OpenTelemetry for an OTLP exporter of metrics. Returns all problems in them. */
export function otlpSettings(variables: Variables): { settings: OtlpSettings } | { problems: string[] } {
  const reader = new VariableReader(variables);
  const protocol = reader.choice('PROTOCOL', OTLP_PROTOCOLS) ?? 'http/protobuf';
  const settings = {
    url: reader.url(protocol),
    protocol,
    headers: {
      ...readAttributes(variables.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
      ...readAttributes(variables.OTEL_EXPORTER_OTLP_METRICS_HEADERS ?? ''),
    },
    isCompressed: reader.choice('COMPRESSION', ['gzip', 'none']) === 'gzip',
    timeoutMs: reader.milliseconds(reader.nameOf('TIMEOUT')) ?? DEFAULT_TIMEOUT_MS,
    intervalMs: reader.milliseconds('OTEL_METRIC_EXPORT_INTERVAL') ?? DEFAULT_INTERVAL_MS,
    temporality: reader.choice('TEMPORALITY_PREFERENCE', TEMPORALITIES) ?? 'cumulative',
    tls: {
      ca: reader.text('CERTIFICATE'),
      cert: reader.text('CLIENT_CERTIFICATE'),
      key: reader.text('CLIENT_KEY'),
    },
  };
  const { url } = settings;
  return url === undefined || reader.problems.length > 0
    ? { problems: reader.problems }
    : { settings: { ...settings, url } };
}

/** Reads variables. The one for metrics takes precedence over the one for all signals; an empty one counts as unset. */
class VariableReader {
  readonly problems: string[] = [];
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** The variable that sets an option. */
  nameOf(option: string): string {
    const own = `OTEL_EXPORTER_OTLP_METRICS_${option}`;
    return this.#value(own) === undefined ? `OTEL_EXPORTER_OTLP_${option}` : own;
  }

  text(option: string): string | undefined {
    return this.#value(this.nameOf(option));
  }

  choice<C extends string>(option: string, choices: readonly C[]): C | undefined {
    const text = this.text(option)?.toLowerCase();
    const found = choices.find((one) => one === text);
    if (text !== undefined && found === undefined)
      this.#report(option, `use ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
    return found;
  }

  milliseconds(name: string): number | undefined {
    const text = this.#value(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (value >= 1 && value <= MAX_MS) return value;
    this.problems.push(`${name}=${text}: use milliseconds, from 1`);
    return undefined;
  }

  /** The endpoint for metrics is complete; the one for all signals lacks the path, except for gRPC. */
  url(protocol: OtlpProtocol): URL | undefined {
    const isOwn = this.#value('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT') !== undefined;
    const isGrpc = protocol === 'grpc';
    const text = this.text('ENDPOINT') ?? `http://localhost:${isGrpc ? 4317 : 4318}`;
    // gRPC endpoints may be written without a scheme.
    const url = parseUrl(isGrpc && !text.includes('://') ? `${this.#isInsecure ? 'http' : 'https'}://${text}` : text);
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      this.#report('ENDPOINT', 'use a URL, such as http://localhost:4318');
      return undefined;
    }
    if (!isOwn && !isGrpc) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/metrics`;
    return url;
  }

  get #isInsecure(): boolean {
    return this.text('INSECURE')?.toLowerCase() === 'true';
  }

  #report(option: string, advice: string): void {
    this.problems.push(`${this.nameOf(option)}=${this.text(option)}: ${advice}`);
  }

  #value(name: string): string | undefined {
    return this.#variables[name]?.trim() || undefined;
  }
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

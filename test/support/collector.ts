import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { UNARY } from '../../src/io/byte-codec.js';
import { later } from './clean-up.js';

/** The part of the OTLP messages that the tests read, with the published field numbers. */
const OTLP = protobuf
  .parse(`
  syntax = "proto3";
  message ExportRequest { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; }
  message Scope { string name = 1; string version = 2; }
  message Metric {
    string name = 1;
    string unit = 3;
    oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
  }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
  message NumberDataPoint { double as_double = 4; repeated KeyValue attributes = 7; }
  message HistogramDataPoint { fixed64 count = 4; double sum = 5; repeated double explicit_bounds = 7; repeated KeyValue attributes = 9; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { string string_value = 1; }
`)
  .root.lookupType('ExportRequest');

interface Attribute {
  key: string;
  value: { stringValue: string };
}

interface DataPoint {
  attributes?: Attribute[];
  asDouble?: number;
  count?: string | number;
}

/** The parts of an OTLP metric that the tests read. */
export interface OtlpMetric {
  name: string;
  unit: string;
  gauge?: { dataPoints: DataPoint[] };
  sum?: { dataPoints: DataPoint[]; aggregationTemporality: number; isMonotonic: boolean };
  histogram?: { dataPoints: DataPoint[]; aggregationTemporality: number };
}

export interface ReceivedExport {
  path: string;
  headers: IncomingHttpHeaders;
  resource: Record<string, string>;
  metrics: OtlpMetric[];
}

/** `name{key=value} value` of a received metric. */
export function otlpLines({ name, gauge, sum, histogram }: OtlpMetric): string[] {
  return ((gauge ?? sum ?? histogram)?.dataPoints ?? []).map(
    ({ attributes = [], asDouble, count }) => `${name}{${attributeText(attributes)}} ${count ?? asDouble ?? 0}`,
  );
}

function attributeText(attributes: readonly Attribute[]): string {
  return attributes.map(({ key, value }) => `${key}=${value.stringValue}`).join(',');
}

interface Decoded {
  resourceMetrics: { resource: { attributes: Attribute[] }; scopeMetrics: { metrics: OtlpMetric[] }[] }[];
}

function readExport(message: Uint8Array, isJson: boolean): Pick<ReceivedExport, 'resource' | 'metrics'> {
  const decoded = isJson
    ? JSON.parse(new TextDecoder().decode(message))
    : OTLP.toObject(OTLP.decode(message), { longs: String });
  const [first] = (decoded as Decoded).resourceMetrics;
  return {
    resource: Object.fromEntries((first?.resource.attributes ?? []).map(({ key, value }) => [key, value.stringValue])),
    metrics: first?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [],
  };
}

export interface TestCollector {
  url: string;
  received: ReceivedExport[];
}

/** A collector over HTTP. With the status `none`, it does not respond. */
export async function httpCollector(status: number | 'none' = 200): Promise<TestCollector> {
  const received: ReceivedExport[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { headers, url = '' } = request;
      const body = Buffer.concat(parts);
      const message = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const isJson = headers['content-type'] === 'application/json';
      received.push({ path: url, headers, ...readExport(message, isJson) });
      if (status !== 'none') response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  later(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A collector over gRPC. */
export async function grpcCollector(): Promise<TestCollector> {
  const received: ReceivedExport[] = [];
  const server = new Server();
  const path = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';
  server.addService(
    { export: { path, ...UNARY } },
    {
      export: (call: { request: Buffer; metadata: { getMap(): object } }, reply: (e: null, r: Buffer) => void) => {
        received.push({
          path,
          headers: call.metadata.getMap() as IncomingHttpHeaders,
          ...readExport(call.request, false),
        });
        reply(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  later(() => server.forceShutdown());
  return { url: `http://127.0.0.1:${port}`, received };
}

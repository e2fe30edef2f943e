import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { asBuffer, same } from '../byte-codec.js';
import { readSettingsFile } from './otlp-files.js';
import type { Send } from './otlp-http.js';
import type { OtlpSettings } from './otlp-settings.js';

const METHOD = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';

const GZIP = 2;

/** Sends messages over gRPC, each on its own channel: exports are minutes apart. */
export function grpcSender({ url, headers, isCompressed, tls }: OtlpSettings, version: string): Send {
  const isSecure = url.protocol === 'https:';
  const creds = isSecure
    ? credentials.createSsl(...[tls.ca, tls.key, tls.cert].map((path) => readSettingsFile(path) ?? null))
    : credentials.createInsecure();
  const options = {
    'grpc.primary_user_agent': `xds-inspect/${version}`,
    'grpc.service_config_disable_resolution': 1,
    ...(isCompressed && { 'grpc.default_compression_algorithm': GZIP }),
  };
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name.toLowerCase(), value);
  const address = url.port === '' ? `${url.hostname}:${isSecure ? 443 : 80}` : url.host;
  return (message, signal) =>
    new Promise((resolve, reject) => {
      const client = new Client(address, creds, options);
      const call = client.makeUnaryRequest(METHOD, asBuffer, same, message, metadata, (error, response) => {
        signal.removeEventListener('abort', cancel);
        client.close();
        if (error === null) resolve(response ?? new Uint8Array(0));
        else reject(new Error(error.details || error.message));
      });
      const cancel = (): void => call.cancel();
      signal.addEventListener('abort', cancel);
    });
}

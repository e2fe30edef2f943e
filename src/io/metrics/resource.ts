import { hostname } from 'node:os';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { MetricsEnvironment } from './export-metrics.js';

/** Describes this process: OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME, and the defaults of xds-inspect. */
export function processResource({ variables, version }: Pick<MetricsEnvironment, 'variables' | 'version'>): Resource {
  const name = variables.OTEL_SERVICE_NAME?.trim();
  return resourceFromAttributes({
    'service.name': 'xds-inspect',
    'service.version': version,
    // Two canaries must not overwrite each other. A random id would create new series whenever one restarts.
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...readAttributes(variables.OTEL_RESOURCE_ATTRIBUTES ?? ''),
    ...(name && { 'service.name': name }),
  });
}

/** Reads `key=value,key=value`, with percent-encoded values. Ignores invalid parts, as OpenTelemetry does. */
export function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=');
      const key = pair.slice(0, Math.max(0, at)).trim();
      return key === '' ? [] : [[key, decoded(pair.slice(at + 1).trim())]];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

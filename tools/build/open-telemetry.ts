import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const PROMETHEUS = '@opentelemetry/exporter-prometheus';

/**
 * The tool uses the serializers of OpenTelemetry, not its SDK and its server. esbuild removes the rest (600 kB) only from ES modules,
 * and the Prometheus exporter exists only as CommonJS.
 */
export function lightOpenTelemetry(root: string): Plugin {
  return {
    name: 'light-open-telemetry',
    setup(builder) {
      builder.onResolve({ filter: /^@opentelemetry\/[\w-]+$/ }, ({ path }) => {
        const folder = join(root, 'node_modules', path);
        if (path === PROMETHEUS) return { path: join(folder, 'build/src/PrometheusSerializer.js') };
        const { module } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { module?: string };
        return module === undefined ? undefined : { path: join(folder, module), sideEffects: false };
      });
      builder.onLoad({ filter: /exporter-prometheus[/\\]build[/\\]src[/\\]PrometheusSerializer\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replace(/^const (\w+) = require\(("[^"]+")\);$/gm, 'import * as $1 from $2;')
          .replace(/^exports\.PrometheusSerializer = .*;$/gm, '')
          .replace(/^Object\.defineProperty\(exports, .*;$/m, '')
          .concat('\nexport { PrometheusSerializer };\n'),
      }));
      // It runs programs of the system. Nothing calls it, but it would be in the package.
      builder.onLoad({ filter: /@opentelemetry[/\\]resources[/\\].*[/\\]getMachineId\.js$/ }, () => ({
        contents: 'export const getMachineId = async () => undefined;',
      }));
    },
  };
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { later } from '../support/clean-up.js';
import { httpCollector, otlpLines } from '../support/collector.js';
import { CLOSED } from '../support/live-server.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';

/** Runs the built program on a server that refuses connections. */
function watching(variables: Record<string, string>) {
  const argv = ['watch', '--server', CLOSED, '--plaintext', 'greeter', '--metrics-port', '0'];
  const child = spawn(process.execPath, [join(ROOT, 'bin/xds-inspect.js'), ...argv], {
    env: { ...process.env, ...variables },
  });
  later(() => child.kill('SIGKILL'));
  const run = { child, stderr: '', code: new Promise((resolve) => child.on('exit', resolve)) };
  child.stderr.on('data', (text) => {
    run.stderr += text;
  });
  return run;
}

describe('the metrics of the built program', () => {
  it('are served, and sent when a signal ends it', async () => {
    const { url, received } = await httpCollector();
    const run = watching({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    await until(() => run.stderr.includes('Metrics on '), 'the port is open');
    const [, address = ''] = /Metrics on (\S+)/.exec(run.stderr) ?? [];
    expect(await (await fetch(address)).text()).toMatch(/^# TYPE xds_inspect_target_verdict gauge$/m);
    run.child.kill('SIGTERM');
    expect(await run.code).toBe(143);
    expect(received).toHaveLength(1);
    expect(received[0]?.metrics.flatMap(otlpLines).join('\n')).toMatch(
      /^xds_inspect\.target\.verdict\{.*verdict=ok\} 0$/m,
    );
  });
});

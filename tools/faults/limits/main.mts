import { join } from 'node:path';
import { measure, serveShape } from './measure.js';
import { SHAPES, type Shape } from './shapes.js';

const SHORT = { Listener: 'LDS', RouteConfiguration: 'RDS', Cluster: 'CDS', ClusterLoadAssignment: 'EDS' };
const NAMES = { Listener: 'greeter', RouteConfiguration: 'r', Cluster: 'c', ClusterLoadAssignment: 'c' };
const MB = 1e6;

/**
 * The memory of an idle process, which does not depend on the response. The bound for one response is ten times its size
 * and 100 MB more.
 */
const IDLE_MB = 80;

function commandsOn(type: Shape['type'], uri: string, folder: string): Record<string, string[]> {
  const connect = ['--server', uri, '--plaintext'];
  const recording = join(folder, 'session.xdsrec');
  return {
    status: ['status', ...connect, 'greeter', '--timeout', '60s'],
    watch: ['watch', ...connect, 'greeter', '--for', '20s', '-o', 'ndjson', '--record', recording],
    replay: ['replay', recording, 'status'],
    get: ['get', ...connect, SHORT[type], NAMES[type]],
    'get -o json': ['get', ...connect, SHORT[type], '-o', 'json'],
    validate: ['validate', join(folder, `${type}.binpb`)],
  };
}

/** Measures commands on hostile responses: `npm run limits -- [sizes in MB] [commands] [part of a title]`. */
async function main([sizes = '4,20,100', commands = 'status', part = '']: readonly string[]): Promise<void> {
  for (const shape of SHAPES.filter(({ title }) => title.includes(part))) {
    for (const size of sizes.split(',').map(Number)) {
      const server = await serveShape(shape, size * MB);
      const all = commandsOn(shape.type, server.uri, server.folder);
      for (const command of commands.split(',')) {
        const { peakMb, seconds, end, output } = await measure(all[command] ?? []);
        const verdict = peakMb > IDLE_MB + 100 + 10 * size ? 'OVER THE BOUND' : 'ok';
        const row = [shape.title, `${size} MB`, command, `${peakMb} MB`, `${seconds} s`, `exit ${end}`, `${output} B`];
        console.log([...row, verdict].join(' | '));
      }
      server.close();
    }
  }
}

await main(process.argv.slice(2));

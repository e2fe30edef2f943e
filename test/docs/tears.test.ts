import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TearKind } from '../../src/deps/tears/tear.js';
import { json } from '../deps/follow.js';
import { Plane } from '../deps/plane.js';
import { ROOT } from '../support/root.js';
import { timeline } from './timeline.js';

const PAGE = join(ROOT, 'docs/tears.md');

function started(options: ConstructorParameters<typeof Plane>[0] = {}): Plane {
  const plane = new Plane(options);
  for (const server of plane.servers.values()) {
    server.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('blue'));
    server.set('CDS', 'blue', json.eds('blue')).set('EDS', 'blue', json.endpoints('blue'));
  }
  plane.follow();
  return plane;
}

/** A scenario for each kind of tear; the picture begins at `from`. */
const SCENARIOS: Record<TearKind, () => { plane: Plane; from: number }> = {
  'dangling-cluster': () => {
    const plane = started();
    const from = plane.clock.now();
    plane.pass(100);
    plane.server.set('RDS', 'r', json.routes('green')).push('RDS');
    plane.pass(500);
    plane.server.set('CDS', 'green', json.eds('green')).set('EDS', 'green', json.endpoints('green')).push('CDS');
    plane.pass(200);
    return { plane, from };
  },
  'dangling-endpoints': () => {
    const plane = started();
    const from = plane.clock.now();
    plane.server.set('CDS', 'green', json.eds('green'));
    plane.pass(100);
    plane.server.set('RDS', 'r', json.routes('green')).push('RDS');
    plane.pass(500);
    plane.server.set('EDS', 'green', json.endpoints('green')).push('EDS');
    plane.pass(200);
    return { plane, from };
  },
  'listener-route-skew': () => {
    const plane = started();
    const from = plane.clock.now();
    plane.pass(100);
    plane.server.set('LDS', 'l', json.listener('r2')).push('LDS');
    plane.pass(500);
    plane.server.set('RDS', 'r2', { ...json.routes('blue'), name: 'r2' }).push('RDS');
    plane.pass(200);
    return { plane, from };
  },
  'removed-in-use': () => {
    const plane = started({ features: ['fail_on_data_errors'] });
    const from = plane.clock.now();
    plane.pass(100);
    plane.server.set('CDS', 'blue', undefined).push('CDS');
    plane.pass(500);
    plane.server.set('CDS', 'blue', json.eds('blue')).push('CDS');
    plane.pass(200);
    return { plane, from };
  },
  'mixed-servers': () => mixed(false),
  flap: () => mixed(true),
};

/** The first server stops while a new cluster is pending; the second has all resources only later; the first returns. */
function mixed(returns: boolean): { plane: Plane; from: number } {
  const plane = started({ servers: ['p', 'q'] });
  const [p, q] = [...plane.servers.values()];
  if (p === undefined || q === undefined) throw new Error('two servers are needed');
  const from = plane.clock.now();
  if (!returns) q.set('LDS', 'l', undefined).set('RDS', 'r', undefined);
  q.set('EDS', 'blue', json.endpoints('blue', 81));
  q.set('CDS', 'green', json.eds('green', 'blue'));
  plane.pass(100);
  p.set('RDS', 'r', json.routes('blue', 'green')).push('RDS');
  plane.pass(6);
  p.goDown();
  plane.pass(2000);
  q.set('LDS', 'l', json.listener('r')).set('RDS', 'r', json.routes('blue', 'green'));
  q.push('LDS');
  q.push('RDS');
  plane.pass(100);
  if (!returns) return { plane, from };
  p.set('CDS', 'green', json.eds('green', 'blue'));
  p.comeUp();
  plane.pass(1000);
  return { plane, from };
}

describe('docs/tears.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const [kind, scenario] of Object.entries(SCENARIOS)) {
    it(`shows the current timeline of ${kind}`, () => {
      const { plane, from } = scenario();
      const picture = timeline(plane.events, from, plane.clock.now());
      expect(plane.channel.tears.map((tear) => tear.kind)).toContain(kind);
      const block = new RegExp(`(<!-- picture: ${kind} -->\n\`\`\`\n)[\\s\\S]*?(\n\`\`\`)`);
      if (process.env.UPDATE_DOCS === '1') {
        writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(block, `$1${picture}$2`));
        return;
      }
      expect(block.exec(page)?.[0]).toBe(`<!-- picture: ${kind} -->\n\`\`\`\n${picture}\n\`\`\``);
    });
  }
});

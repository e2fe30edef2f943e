import { expect, it } from 'vitest';
import { foreignTarget } from '../../src/bootstrap/foreign-target.js';

const EXAMPLE = 'use the target that a program dials, such as xds:///greeter';

const foreign: [target: string, hint: string][] = [
  ['dns:///x', 'use xds:///x'],
  ['DNS:///x', 'use xds:///x'],
  ['dns:x', 'use xds:///x'],
  ['dns:x:443', 'use xds:///x:443'],
  ['dns://8.8.8.8/x.prod:443', 'use xds:///x.prod:443'],
  ['http://x', 'use xds:///x'],
  ['https://x:8080/path', 'use xds:///x:8080'],
  ['passthrough:///x', 'use xds:///x'],
  ['xdstp://a/envoy.config.listener.v3.Listener/x/y', 'use xds://a/x/y'],
  ['unix:/run/s', EXAMPLE],
  ['unix:///run/s', EXAMPLE],
  ['ipv4:10.0.0.1:80', EXAMPLE],
  ['dns://', EXAMPLE],
];
it.each(foreign)('foreignTarget rejects %s and suggests: %s', (target, hint) => {
  expect(foreignTarget(target)).toBe(`not an xDS target: ${hint}`);
});

it.each([
  'xds:///x',
  'XDS:///x',
  'xds://a/x',
  'xds:x',
  'x',
  'x:443',
  'dns:443',
  'unix:80',
  'a/b',
  '#server:[::]:80',
  'xds:///http://x',
])('foreignTarget accepts %s', (target) => expect(foreignTarget(target)).toBeUndefined());

import { expect, it } from 'vitest';
import { foreignTarget } from '../../src/bootstrap/foreign-target.js';

const EXAMPLE = 'give what a program dials, such as xds:///greeter';

const foreign: [target: string, hint: string][] = [
  ['dns:///x', 'type xds:///x'],
  ['DNS:///x', 'type xds:///x'],
  ['dns:x', 'type xds:///x'],
  ['dns:x:443', 'type xds:///x:443'],
  ['dns://8.8.8.8/x.prod:443', 'type xds:///x.prod:443'],
  ['http://x', 'type xds:///x'],
  ['https://x:8080/path', 'type xds:///x:8080'],
  ['passthrough:///x', 'type xds:///x'],
  ['xdstp://a/envoy.config.listener.v3.Listener/x/y', 'type xds://a/x/y'],
  ['unix:/run/s', EXAMPLE],
  ['unix:///run/s', EXAMPLE],
  ['ipv4:10.0.0.1:80', EXAMPLE],
  ['dns://', EXAMPLE],
];
it.each(foreign)('%s is not an xDS target: %s', (target, hint) => {
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
])('%s may be one', (target) => expect(foreignTarget(target)).toBeUndefined());

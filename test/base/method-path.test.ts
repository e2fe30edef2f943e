import { expect, it } from 'vitest';
import { methodPath } from '../../src/base/method-path.js';

it.each([
  ['/a.B/C', '/a.B/C'],
  ['a.B/C', '/a.B/C'],
  ['SayHello', undefined],
  ['/a.B/C/D', undefined],
  ['//C', undefined],
  ['', undefined],
])('reads the method %j as %j', (typed, path) => expect(methodPath(typed)).toBe(path));

import { expect, it } from 'vitest';
import { methodPath } from '../../src/base/method-path.js';

it.each([
  ['/a.B/C', '/a.B/C'],
  ['a.B/C', '/a.B/C'],
  ['SayHello', undefined],
  ['/a.B/C/D', undefined],
  ['//C', undefined],
  ['', undefined],
])('methodPath reads %j as %j', (typed, path) => expect(methodPath(typed)).toBe(path));

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonParts } from '../../../src/view/render/json-parts.js';

it('JSON in parts is the text of the whole document, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 12 }), (value, most) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const whole = JSON.stringify(plain, null, 2);
      expect([...jsonParts(plain, '', most)].join('')).toBe(whole);
      expect([...jsonParts(plain, '    ', most)].join('')).toBe(whole.replaceAll('\n', '\n    '));
    }),
    { numRuns: 300 },
  );
});

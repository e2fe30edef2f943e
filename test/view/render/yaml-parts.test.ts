import fc from 'fast-check';
import { expect, it } from 'vitest';
import { yamlText } from '../../../src/view/render/yaml.js';
import { yamlParts } from '../../../src/view/render/yaml-parts.js';

it('YAML in parts is the text of the whole document, wherever it is cut', () => {
  const document = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 });
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 12 }), (value, most) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect([...yamlParts(plain, most)].join('')).toBe(yamlText(plain));
    }),
    { numRuns: 300 },
  );
});

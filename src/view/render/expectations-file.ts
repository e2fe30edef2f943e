import { yamlText } from './yaml.js';

/** Where editors find what may stand in the file. */
const SCHEMA = '# yaml-language-server: $schema=node_modules/xds-inspect/docs/schemas/expectations.schema.json';

export function expectationsFile(document: object): string {
  return `${SCHEMA}\n${yamlText(document)}`;
}

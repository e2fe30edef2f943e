import { stringify } from 'yaml';

/** A document as YAML; loaded only where it is asked for. */
export function yamlText(document: unknown): string {
  return stringify(document);
}

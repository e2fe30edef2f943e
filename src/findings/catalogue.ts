import type { FindingKind } from '../base/finding.js';
import { BOOTSTRAP_FINDINGS } from '../bootstrap/lint/catalogue.js';
import { NOTE_TITLES } from '../peers/rules/titles.js';
import { RESOURCE_FINDINGS } from '../resources/files/catalogue.js';
import { PROTOCOL_FINDINGS } from './protocol-catalogue.js';

/** The subject of a finding; `implementations` are notes on implementations other than C-core, all of which are XI104. */
type Family = 'bootstrap' | 'resources' | 'protocol' | 'implementations';

export interface CatalogueEntry extends FindingKind {
  code: string;
  family: Family;
}

/** Returns every finding code of xds-inspect. Each family has its own table, which contains only text. */
export function catalogue(): CatalogueEntry[] {
  return [
    ...entries('bootstrap', BOOTSTRAP_FINDINGS),
    ...entries('resources', RESOURCE_FINDINGS),
    ...entries('protocol', PROTOCOL_FINDINGS),
    ...Object.entries(NOTE_TITLES).map(([code, title]) => ({
      ...RESOURCE_FINDINGS.XI104,
      title,
      code,
      family: 'implementations' as const,
    })),
  ];
}

function entries(family: Family, kinds: Record<string, FindingKind>): CatalogueEntry[] {
  return Object.entries(kinds).map(([code, kind]) => ({ ...kind, code, family }));
}

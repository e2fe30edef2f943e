import { isMapping } from '../../base/shape.js';
import { API_TYPES } from '../../proto/api-types.js';
import type { ComparedResource } from '../diff/resource-set.js';
import type { SidePart } from './merge-parts.js';
import { printedResource } from './side-resource.js';

/** A JSON or YAML document that a command printed: `xds-inspect/status/v1`. */
const SCHEMA = /^xds-inspect\/([a-z-]+)\/v\d+$/;

/** What a saved document contains, or why it cannot be compared. */
export type SavedReport = { kind: string; parts: SidePart[] } | { problem: string };

export function readSavedReport(value: unknown): SavedReport | undefined {
  const schema = isMapping(value) && typeof value.schema === 'string' ? SCHEMA.exec(value.schema) : null;
  if (!isMapping(value) || schema === null) return undefined;
  const [, kind = ''] = schema;
  if (Array.isArray(value.scopes) && (kind === 'status' || kind === 'report')) {
    return { kind, parts: value.scopes.filter(isMapping).map(scopePart) };
  }
  if (Array.isArray(value.resources) && kind === 'get') return { kind, parts: [getPart(value)] };
  const instead = 'save get all -o yaml, csds -o json or status -o json, or record the session';
  return { problem: `the output of xds-inspect ${kind} does not list resources: ${instead}` };
}

function scopePart(scope: Record<string, unknown>): SidePart {
  const remote = isMapping(scope.remote) ? textOf(scope.remote.address) : undefined;
  const names = [remote, textOf(scope.scope)].filter((one) => one !== undefined && one !== '');
  const resources = listOf(scope.resources).map((one): ComparedResource => {
    const facts = { ...identity(one), version: textOf(one.version), status: textOf(one.status) };
    return printedResource(facts, one.contents ?? undefined);
  });
  return { name: names.join(' / ') || 'the client', resources };
}

const STATUS_OF: Readonly<Record<string, string>> = { accepted: 'ACKED', rejected: 'NACKED' };

/** `get` lists resources, reported errors, and names without a response. */
function getPart(document: Record<string, unknown>): SidePart {
  const absent = (one: { typeUrl: string; name: string }, status: string): ComparedResource =>
    printedResource({ ...one, version: undefined, status });
  return {
    name: 'the response',
    resources: [
      ...listOf(document.resources).map((one) => {
        const status = STATUS_OF[textOf(one.verdict) ?? ''];
        return printedResource({ ...identity(one), version: textOf(one.version), status }, one.resource ?? undefined);
      }),
      ...listOf(document.errors).map((one) => absent(identity(one), 'RECEIVED_ERROR')),
      ...missingNames(document).map((one) => absent(one, 'DOES_NOT_EXIST')),
    ],
  };
}

/** `EDS/blue` for several types; else only the name. */
function missingNames({ missing, typeUrl }: Record<string, unknown>): { typeUrl: string; name: string }[] {
  const names = Array.isArray(missing) ? missing.filter((one) => typeof one === 'string') : [];
  return names.map((name) => {
    const [, short = '', rest = name] = /^([A-Z]+)\/(.*)$/s.exec(name) ?? [];
    return typeof typeUrl === 'string' ? { typeUrl, name } : { typeUrl: API_TYPES[short] ?? short, name: rest };
  });
}

function identity(one: Record<string, unknown>): { typeUrl: string; name: string } {
  const type = textOf(one.type) ?? '';
  const inner = isMapping(one.resource) ? textOf(one.resource['@type']) : undefined;
  return { typeUrl: textOf(one.typeUrl) ?? inner ?? API_TYPES[type] ?? type, name: textOf(one.name) ?? '' };
}

function listOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isMapping) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

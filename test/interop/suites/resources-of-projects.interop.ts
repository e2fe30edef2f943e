import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isMapping } from '../../../src/base/shape.js';
import { type FilesReport, joinReports, validateFile } from '../../../src/inspect/validate/files.js';
import { API_TYPES } from '../../../src/proto/api-types.js';
import { typeNameOf } from '../../../src/proto/json/type-name.js';
import type { PeerName } from '../../../tools/peers/peers.js';
import { CONTEXT } from '../../resources/context.js';
import { commandOf } from '../support/built-peers.js';
import { reportFigure } from '../support/report-figure.js';

/** Resource files in the test data of other projects: what their control planes send, and dumps of their proxies. */
interface Corpus {
  title: string;
  source: PeerName;
  /** Folders in the source. */
  folders: string[];
  isResourceFile(path: string, text: string): boolean;
  /** The smallest number of resources that the pinned version must contain. */
  atLeast: number;
}

const CORPORA: Corpus[] = [
  {
    title: 'the translator of Envoy Gateway',
    source: 'envoy-gateway-source',
    folders: ['internal/xds/translator/testdata/out/xds-ir', 'internal/xds/translator/testdata/out/extension-xds-ir'],
    isResourceFile: (path, text) =>
      /\.(listeners|routes|clusters|endpoints|secrets)\.yaml$/.test(path) && text.trim() !== '[]',
    atLeast: 2_000,
  },
  {
    title: 'egctl of Envoy Gateway',
    source: 'envoy-gateway-source',
    folders: ['internal/cmd/egctl/testdata'],
    isResourceFile: (path, text) => /\/out\/.*\.(json|yaml)$/.test(path) && text.includes('envoy.admin.v3.'),
    atLeast: 100,
  },
  {
    title: 'Consul',
    source: 'consul-source',
    folders: ['agent/xds/testdata'],
    isResourceFile: (path, text) => /\.golden$/.test(path) && text.includes('"typeUrl"'),
    atLeast: 2_000,
  },
  {
    title: 'proxies of Istio',
    source: 'istio-source',
    folders: ['istioctl/pkg'],
    isResourceFile: (path, text) => /\.(json|yaml)$/.test(path) && text.includes('envoy.admin.v3.'),
    atLeast: 100,
  },
];

const RESOURCE_TYPES = new Set(Object.values(API_TYPES).map(typeNameOf));

/** Counts the resources in a document without the code under test. */
function countResources(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countResources(one), 0);
  if (!isMapping(value)) return 0;
  const type = value['@type'];
  if (typeof type === 'string' && RESOURCE_TYPES.has(typeNameOf(type))) return 1;
  const fixed = (value.static_resources ?? value.staticResources) as Record<string, unknown[]> | undefined;
  if (fixed !== undefined) return Object.values(fixed).reduce((sum, list) => sum + list.length, 0);
  return Object.values(value).reduce((sum: number, one) => sum + countResources(one), 0);
}

function expected(text: string): number {
  const value = parse(text, { maxAliasCount: -1 }) as unknown;
  // A list of resources without "@type".
  return Array.isArray(value) ? value.length : countResources(value);
}

function counts({ responses }: FilesReport): Record<string, number> {
  const all = { accepted: 0, rejected: 0, ignored: 0 };
  for (const { resources } of responses) for (const { verdict } of resources) all[verdict]++;
  return all;
}

describe('validate gives every resource a verdict', () => {
  it.each(CORPORA)('of $title', ({ title, source, folders, isResourceFile, atLeast }) => {
    const [root] = commandOf(source);
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
        .filter(({ path, text }) => isResourceFile(path, text)),
    );
    const reports = files.map(({ path, text }) => validateFile(path, new TextEncoder().encode(text), CONTEXT));
    const report = joinReports(reports);
    expect(report.unreadable).toEqual([]);
    const missing = files.filter(({ text }, i) => {
      const { accepted = 0, rejected = 0, ignored = 0 } = counts(reports[i] as FilesReport);
      return accepted + rejected + ignored !== expected(text);
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
    const { accepted = 0, rejected = 0, ignored = 0 } = counts(report);
    expect(accepted + rejected + ignored).toBeGreaterThanOrEqual(atLeast);
    const verdicts = `${accepted} accepted, ${rejected} rejected, ${ignored} of types that gRPC does not know`;
    reportFigure(`resources of ${title}: ${files.length} files, ${verdicts}, 0 without a verdict`);
  });
});

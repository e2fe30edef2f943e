import { countText } from '../../base/count-text.js';
import { parseSources, type SourceDocument } from '../../base/document.js';
import { formatPath, type Problem, Problems } from '../../base/problem.js';
import { REDACTED } from '../../base/secret-name.js';
import { isMapping } from '../../base/shape.js';
import { readClientStatus } from '../../csds/read-client-status.js';
import { receivedResource } from '../../engine/get/received-resource.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { parseMessage } from '../../proto/json/parse.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { resourcesInDump } from '../../resources/files/config-dump.js';
import { type FileContent, isBinaryFile, readBinaryFile, readDocument } from '../../resources/files/resource-file.js';
import { dumpPart } from './cached-resources.js';
import { type FileResource, resourcesInUse } from './dumped-resources.js';
import type { SidePart } from './merge-parts.js';
import { readSavedReport } from './saved-report.js';

/** A file of a side. */
export interface SideFile {
  /** What the file is: `Envoy config dump`; undefined for resources. */
  kind: string | undefined;
  parts: SidePart[];
  /** Why the file, or a part of it, cannot be read; with the file, line and column. */
  problems: string[];
  notes: string[];
}

const CLIENT_STATUS = 'envoy.service.status.v3.ClientStatusResponse';

/** Reads a file with resources, a dump of a client, or a document that a command printed. */
export function readSideFile(source: string, bytes: Uint8Array): SideFile {
  if (isBinaryFile(source)) return ofResources(source, readBinaryFile(bytes), undefined);
  const text = new TextDecoder().decode(bytes);
  if (/^\s*<(!doctype|html)/i.test(text.slice(0, 1000)))
    return unreadable(
      `${source}: an HTML page: use a recording of the session, or save get all -o yaml or csds -o json`,
    );
  const document = parseSources(text);
  return readSaved(source, document) ?? readResources(source, document, text.includes(REDACTED));
}

export function unreadable(...problems: string[]): SideFile {
  return { kind: undefined, parts: [], problems, notes: [] };
}

/** A document of a command, or a CSDS response. Both have statuses. */
function readSaved(source: string, { value }: SourceDocument): SideFile | undefined {
  const saved = readSavedReport(value);
  if (saved === undefined) return readCsdsResponse(value);
  if ('problem' in saved) return unreadable(`${source}: ${saved.problem}`);
  const { kind, parts } = saved;
  return { kind: `saved ${kind}`, parts, problems: [], notes: [] };
}

function readCsdsResponse(value: unknown): SideFile | undefined {
  if (!isMapping(value)) return undefined;
  const { '@type': type, ...message } = value;
  const isStatus = typeof type === 'string' ? typeNameOf(type) === CLIENT_STATUS : Array.isArray(value.config);
  const bytes = isStatus ? parseMessage(xdsCatalogue, CLIENT_STATUS, message, new Problems(), []) : undefined;
  if (bytes === undefined) return undefined;
  const { clients, problems } = readClientStatus(bytes);
  return { kind: 'CSDS response', parts: clients.map(dumpPart), problems, notes: [] };
}

function readResources(source: string, document: SourceDocument, isRedacted: boolean): SideFile {
  const value = isRedacted ? withEncodableSecrets(document.value) : document.value;
  const kind = resourcesInDump(value) === undefined ? undefined : 'config dump';
  return ofResources(source, readDocument({ ...document, value }), kind);
}

/** `[redacted]` is not base64 and could not be encoded in bytes. The comparison recognises this word as well. */
function withEncodableSecrets(value: unknown): unknown {
  if (value === REDACTED) return 'redacted';
  if (Array.isArray(value)) return value.map(withEncodableSecrets);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withEncodableSecrets(inner)]));
}

const MAX_UNKNOWN = 5;

function ofResources(source: string, { responses, problems, locate }: FileContent, kind: string | undefined): SideFile {
  const all = responses.flatMap(({ response, resources }) =>
    [...response.resources].map((any, i): FileResource => {
      const received = receivedResource(any, response.versionInfo, undefined);
      const { dumped, unknownParts = [] } = resources[i] ?? {};
      return { received, dumped, unknownParts };
    }),
  );
  const { resources, notes } = resourcesInUse(all);
  const unknown = all.flatMap(({ unknownParts }) => unknownParts);
  const more = unknown.length - MAX_UNKNOWN;
  return {
    kind,
    parts: [{ name: source, resources }],
    problems: located(source, problems),
    notes: [
      ...notes,
      ...located(source, locate(unknown.slice(0, MAX_UNKNOWN))).map((text) => `${text} (not compared)`),
      ...(more > 0 ? [`${source}: ${countText(more, 'more field')} that the API does not have (not compared)`] : []),
    ],
  };
}

function located(source: string, problems: readonly (Problem & { line: number; column: number })[]): string[] {
  return problems.map(({ path, message, line, column }) => {
    const at = formatPath(path);
    return `${source}:${line}:${column}: ${at === '' ? '' : `${at}: `}${message}`;
  });
}

import type { LocatedFinding, Severity, SourceLocation } from '../../base/finding.js';
import type { PathStep } from '../../base/problem.js';
import type { Note } from '../../peers/note.js';
import { shortType } from '../../proto/resource-types.js';
import type { ResourceContext } from '../../resources/context.js';
import { RESOURCE_FINDINGS, type ResourceCode } from '../../resources/files/catalogue.js';
import { pathInDocument, stepsOf } from '../../resources/files/document-path.js';
import type { FileContent, FileResponse } from '../../resources/files/resource-file.js';
import { type Reference, referencesOf } from '../../resources/references.js';
import { type ValidatedResource, validateResponse } from '../../resources/validate-response.js';
import type { IgnoredKind } from '../../resources/validation-result.js';
import { commentsOn } from './comments.js';

/** The reaction of gRPC to a response. */
export interface ResponseReport {
  source: string;
  /** Short for the types that gRPC knows, the type URL for others. */
  type: string;
  /** IGNORED: gRPC does not know the type. */
  verdict: 'ACK' | 'NACK' | 'IGNORED';
  /** C-core's `error_detail.message`. */
  nack: string | null;
  resources: ResourceReport[];
}

export interface ResourceReport {
  name: string;
  verdict: 'accepted' | 'rejected';
  place: SourceLocation;
  findings: ResourceFinding[];
  /** The resources that it refers to. */
  references: Reference[];
}

/** A finding in a resource file. */
export type ResourceFinding =
  | (LocatedFinding & { code: Exclude<ResourceCode, 'XI101' | 'XI104'> })
  | (LocatedFinding & { code: 'XI101'; kind: IgnoredKind })
  | (LocatedFinding & { code: 'XI104'; note: Note });

type ReadableFile = Extract<FileContent, { ok: true }>;
type Locate = (path: string, steps: readonly PathStep[]) => SourceLocation;

const REMARKS = { deviation: 'XI102', unchecked: 'XI103' } as const;

/** Validates every response in a file. */
export function reportOn(source: string, content: ReadableFile, context: ResourceContext): ResponseReport[] {
  return content.responses.map((one) => reportResponse(source, one, content, context));
}

function reportResponse(
  source: string,
  { response, places }: FileResponse,
  content: ReadableFile,
  context: ResourceContext,
): ResponseReport {
  const { verdict, nack, resources } = validateResponse(response, context);
  const reports = resources.map((result): ResourceReport => {
    const { name = '', errors } = result;
    const root = places[result.index] ?? [];
    const locate: Locate = (path, steps) => ({ source, path, ...locateIn(content, [...root, ...steps]) });
    const outer = response.resources[result.index]?.typeUrl ?? '';
    return {
      name,
      verdict: errors.length === 0 ? 'accepted' : 'rejected',
      place: locate('', []),
      findings: findingsIn(result, commentsOn(result, outer, response.typeUrl, context), locate),
      references: result.result?.ok ? referencesOf(name, result.result.resource) : [],
    };
  });
  return { source, type: shortType(response.typeUrl), verdict, nack: nack ?? null, resources: reports };
}

function locateIn({ value, locate }: ReadableFile, steps: readonly PathStep[]): { line: number; column: number } {
  const [found = { line: 1, column: 1 }] = locate([{ path: pathInDocument(value, steps), message: '' }]);
  return { line: found.line, column: found.column };
}

function findingsIn(
  { result, errors }: ValidatedResource,
  { notes, unread }: ReturnType<typeof commentsOn>,
  locate: Locate,
): ResourceFinding[] {
  const problems =
    result?.ok === false
      ? result.problems
      : errors.map((error) => ({ path: '', steps: [], reason: error.replace(/^resource index \d+: /, '') }));
  const ignored = [
    ...(result?.ignored ?? []),
    ...unread.map(({ path, reason }) => ({ kind: 'field' as const, path, steps: stepsOf(path), reason })),
  ];
  return [
    ...problems.map((one) => located('XI100', locate(one.path, one.steps), one.reason)),
    ...ignored.map((one) => ({ ...located('XI101', locate(one.path, one.steps), one.reason), kind: one.kind })),
    ...(result?.remarks ?? []).map((one) => located(REMARKS[one.kind], locate(one.path, one.steps), one.reason)),
    ...notes.map((note) => ({
      ...located('XI104', locate(note.path, stepsOf(note.path)), `${note.code} ${note.text}`),
      note,
    })),
  ];
}

function located<C extends ResourceCode>(
  code: C,
  place: SourceLocation,
  message: string,
): LocatedFinding & { code: C; severity: Severity } {
  const { severity, advice } = RESOURCE_FINDINGS[code];
  return { code, severity, place, message, advice };
}

import type { LocatedFinding, Severity, SourceLocation } from '../../base/finding.js';
import { formatPath, type PathStep } from '../../base/problem.js';
import type { Note } from '../../peers/note.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import type { UnknownPart } from '../../proto/json/message-encoder.js';
import { resourceName } from '../../proto/resource-name.js';
import { shortType } from '../../proto/resource-types.js';
import type { ResourceContext } from '../../resources/context.js';
import { RESOURCE_FINDINGS, type ResourceCode, UNKNOWN_PART_CODES } from '../../resources/files/catalogue.js';
import { pathInDocument, stepsOf } from '../../resources/files/document-path.js';
import type { FileContent, FileResponse } from '../../resources/files/resource-file.js';
import { type Reference, referencesOf } from '../../resources/references.js';
import type { ResponseValidator } from '../../resources/response-validator.js';
import { isSmallResource } from '../../resources/small-resource.js';
import { responseValidator } from '../../resources/validate-response.js';
import type { IgnoredKind, ValidationResult } from '../../resources/validation-result.js';
import { type CommentedResource, commentsOn } from './comments.js';

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
  /** The numbers of resources of a few bytes each that are not listed; absent if there are none. */
  omitted?: { accepted: number; rejected: number; ignored: number };
}

export interface ResourceReport {
  name: string;
  /** ignored: gRPC does not know the type. */
  verdict: 'accepted' | 'rejected' | 'ignored';
  /** The position; its path is that of the resource in the file, and empty if the file contains nothing else. */
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

type Locate = (path: string, steps: readonly PathStep[]) => SourceLocation;

/** Limits the accepted and the rejected resources of a few bytes each that are listed. */
const MAX_SMALL = 1000;

const REMARKS = { deviation: 'XI102', unchecked: 'XI103' } as const;

/** Validates every response in a file. */
export function reportOn(source: string, content: FileContent, context: ResourceContext): ResponseReport[] {
  return content.responses.map((one) => reportResponse(source, one, content, context));
}

function reportResponse(
  source: string,
  { response, resources: inFile }: FileResponse,
  content: FileContent,
  context: ResourceContext,
): ResponseReport {
  const { typeUrl } = response;
  const validator = responseValidator(typeUrl, context);
  const reports: ResourceReport[] = [];
  const small = { accepted: 0, rejected: 0, ignored: 0 };
  const omitted = { accepted: 0, rejected: 0, ignored: 0 };
  for (const [index, any] of response.resources.entries()) {
    const result = validateOne(validator, any, index);
    const verdict = result === undefined ? 'ignored' : result.errors.length === 0 ? 'accepted' : 'rejected';
    if (isSmallResource(any) && ++small[verdict] > MAX_SMALL) omitted[verdict]++;
    else
      reports.push(
        reportResource(result, verdict, { source, content, inFile: inFile[index] ?? NOWHERE }, any, typeUrl, context),
      );
  }
  for (const [index, reported] of response.resourceErrors.entries()) validator.checkError(reported, index);
  const { verdict, nack = null } = validator;
  const hasOmitted = omitted.accepted + omitted.rejected + omitted.ignored > 0;
  return { source, type: shortType(typeUrl), verdict, nack, resources: reports, ...(hasOmitted && { omitted }) };
}

/** A validated resource with its references, but without gRPC's representation of it. */
interface Validated extends CommentedResource {
  name: string | undefined;
  errors: readonly string[];
  /** C-core's result, with which notes compare other implementations. */
  compared: ValidationResult<unknown> | undefined;
  references: Reference[];
}

/**
 * A function of its own, so that no variable keeps gRPC's representation in memory while the comments are collected: both
 * are many times larger than the bytes.
 */
function validateOne(validator: ResponseValidator, any: Any, index: number): Validated | undefined {
  const validated = validator.validate(any, index);
  if (validated === undefined) return undefined;
  const { name, resource, result, errors, cCore = result } = validated;
  const compared = cCore?.ok ? { ...cCore, resource: undefined } : cCore;
  if (!result?.ok) return { name, resource, result, compared, errors, references: [] };
  const references = referencesOf(name ?? '', result.resource);
  return { name, resource, result: { ...result, resource: undefined }, compared, errors, references };
}

function reportResource(
  result: Validated | undefined,
  verdict: ResourceReport['verdict'],
  { source, content, inFile }: { source: string; content: FileContent; inFile: FileResponse['resources'][number] },
  { typeUrl: outer, value }: Any,
  typeUrl: string,
  context: ResourceContext,
): ResourceReport {
  const { place: root, unknownParts } = inFile;
  const locate: Locate = (path, steps) => ({ source, path, ...locateIn(content, [...root, ...steps]) });
  const unknown = unknownParts.map((part) => unknownFinding(part, root, (steps) => locateIn(content, steps), source));
  const place = locate(formatPath(root), []);
  if (result === undefined) return { name: resourceName(value), verdict, place, findings: unknown, references: [] };
  const { name = '' } = result;
  const findings = findingsIn(
    result,
    commentsOn({ ...result, result: result.compared }, outer, typeUrl, context),
    locate,
  );
  return {
    name,
    verdict,
    place,
    findings: [...findings, ...unknown],
    references: result.references,
  };
}

/** A resource of a binary file. */
const NOWHERE: FileResponse['resources'][number] = { place: [], unknownParts: [], dumped: undefined };

/** A finding about a part that is not in the bytes. Its path begins at the resource, if it is in the resource. */
function unknownFinding(
  { kind, path, message }: UnknownPart,
  root: readonly PathStep[],
  locate: (steps: readonly PathStep[]) => { line: number; column: number },
  source: string,
): ResourceFinding {
  const isInside = root.every((step, i) => path[i] === step);
  const steps = (isInside ? path.slice(root.length) : path).filter((step) => step !== '@type');
  return located(UNKNOWN_PART_CODES[kind], { source, path: formatPath(steps), ...locate(path) }, message);
}

function locateIn({ value, locate }: FileContent, steps: readonly PathStep[]): { line: number; column: number } {
  const [found = { line: 1, column: 1 }] = locate([{ path: pathInDocument(value, steps), message: '' }]);
  return { line: found.line, column: found.column };
}

function findingsIn(
  { result, errors }: Validated,
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

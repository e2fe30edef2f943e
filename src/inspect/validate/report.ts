import type { LocatedProblem } from '../../base/document.js';
import type { PathStep } from '../../base/problem.js';
import type { Decision, Implementation } from '../../peers/note.js';
import { shortType } from '../../proto/resource-types.js';
import type { ResourceContext } from '../context.js';
import { type JudgedResource, judgeResponse } from '../judge-response.js';
import { type Reference, referencesOf } from '../references.js';
import type { IgnoredKind } from '../verdict.js';
import { type Comments, commentsOn } from './comments.js';
import { pathInDocument, stepsOf } from './document-path.js';
import type { FileContent, FileResponse } from './resource-file.js';

interface Place {
  line: number;
  column: number;
}

/** What gRPC would answer to a response. */
export interface ResponseReport {
  source: string;
  /** Short for the types that gRPC knows, the type URL for others. */
  type: string;
  /** IGNORED: of a type that gRPC does not know. */
  verdict: 'ACK' | 'NACK' | 'IGNORED';
  /** C-core's `error_detail.message`. */
  nack: string | null;
  resources: ResourceReport[];
}

export interface ResourceReport extends Place {
  name: string;
  verdict: 'accepted' | 'rejected';
  problems: ({ path: string; message: string } & Place)[];
  ignored: ({ kind: IgnoredKind; path: string; reason: string } & Place)[];
  findings: ResourceFinding[];
  /** Which others it leads to. */
  references: Reference[];
  /** Where other implementations would decide otherwise. */
  notes: ({ code: string; implementation: Implementation; decides: Decision; path: string; message: string } & Place)[];
}

/** What deserves attention in a resource that gRPC takes. */
interface ResourceFinding extends Place {
  code: string;
  severity: 'error' | 'warning' | 'note';
  path: string;
  message: string;
}

/** Judges what a file holds. */
export function reportOn(
  source: string,
  content: Extract<FileContent, { ok: true }>,
  context: ResourceContext,
): ResponseReport[] {
  return content.responses.map((one) => reportResponse(source, one, content, context));
}

function reportResponse(
  source: string,
  { response, places }: FileResponse,
  content: Extract<FileContent, { ok: true }>,
  context: ResourceContext,
): ResponseReport {
  const { verdict, nack, resources } = judgeResponse(response, context);
  const report = resources.map((judged) => {
    const place = places[judged.index] ?? [];
    const at = (steps: readonly PathStep[]): Place => locate(content, place, steps);
    const outer = response.resources[judged.index]?.typeUrl ?? '';
    return reportResource(judged, commentsOn(judged, outer, response.typeUrl, context), at);
  });
  return { source, type: shortType(response.typeUrl), verdict, nack: nack ?? null, resources: report };
}

function locate(
  content: Extract<FileContent, { ok: true }>,
  place: readonly PathStep[],
  steps: readonly PathStep[],
): Place {
  const path = pathInDocument(content.value, [...place, ...steps]);
  const [found] = content.locate([{ path, message: '' }]) as [LocatedProblem];
  return { line: found.line, column: found.column };
}

function reportResource(
  { name = '', verdict, errors }: JudgedResource,
  { notes, unread }: Comments,
  at: (steps: readonly PathStep[]) => Place,
): ResourceReport {
  const problems =
    verdict?.ok === false
      ? verdict.problems.map(({ path, steps, reason }) => ({ path, message: reason, ...at(steps) }))
      : errors.map((message) => ({ path: '', message: message.replace(/^resource index \d+: /, ''), ...at([]) }));
  return {
    name,
    verdict: errors.length === 0 ? 'accepted' : 'rejected',
    problems,
    ignored: [
      ...(verdict?.ignored ?? []).map(({ kind, path, steps, reason }) => ({ kind, path, reason, ...at(steps) })),
      ...unread.map(({ path, reason }) => ({ kind: 'field' as const, path, reason, ...at(stepsOf(path)) })),
    ],
    findings: (verdict?.remarks ?? []).map(({ kind, path, steps, reason }) => ({
      ...REMARKS[kind],
      path,
      message: reason,
      ...at(steps),
    })),
    references: verdict?.ok ? referencesOf(name, verdict.resource) : [],
    notes: notes.map(({ text: message, ...note }) => ({ ...note, message, ...at(stepsOf(note.path)) })),
    ...at([]),
  };
}

const REMARKS = {
  deviation: { code: 'XI102', severity: 'error' },
  unchecked: { code: 'XI103', severity: 'note' },
} as const;

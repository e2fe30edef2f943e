import { statusName } from '../../base/status.js';
import type { ConnectionSettings } from '../../bootstrap/connection-settings.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import { byTypeAndName, shortType } from '../../proto/resource-types.js';
import type { InspectedTarget, InspectionResult } from '../inspection-result.js';
import type { Follow } from '../source.js';
import type { Verdict } from '../verdict/verdict.js';
import { endpointCounts } from './endpoint-counts.js';
import { FORBIDDEN, isForbidden } from './evaluate-findings.js';
import { rpcsFor } from './init-rpcs.js';
import { below, type Comment, FAILING_NOW, type FilePart, type NewFile } from './new-file.js';

export interface ServedTarget extends InspectedTarget {
  /** The target as typed. */
  target: string;
  verdict: Verdict;
  findings: readonly ProtocolFinding[];
}

/** Combines the typed targets with their results, in the order in which the inspection follows them. */
export function servedTargets(
  typed: readonly string[],
  { targets, verdicts, findings: all }: Pick<InspectionResult, 'targets' | 'verdicts' | 'findings'>,
  followed: readonly Follow[],
): ServedTarget[] {
  return followed.flatMap((follow, i): ServedTarget[] => {
    const result = targets.find(
      ({ scope, channel }) => scope.scope === follow.scope && channel.target === follow.target,
    );
    const verdict = verdicts.find(({ scope, target }) => scope === follow.scope && target === follow.target);
    const target = typed[i];
    if (result === undefined || verdict === undefined || target === undefined) return [];
    return [{ ...result, target, verdict, findings: all.filter((finding) => finding.scope === follow.scope) }];
  });
}

/** The settings at the top of a new expectations file. */
export interface InitSettings extends Omit<ConnectionSettings, 'xdsHeader'> {
  nodeId: string | undefined;
  defaultAuthority: string | undefined;
}

/** Builds an expectations file that the current state fulfills. */
export function expectationsFor(targets: readonly ServedTarget[], settings: InitSettings): NewFile {
  const { nodeId: node_id, defaultAuthority: default_authority, ...others } = settings;
  const { kubeContext: kube_context, tokenFile: token_file, ...connecting } = others;
  const parts = targets.map((served) => targetOf(served, default_authority));
  const file = {
    version: 1,
    ...connecting,
    ...(kube_context !== undefined && { kube_context }),
    ...(token_file !== undefined && { token_file }),
    ...(node_id !== undefined && { node_id }),
    targets: parts.map(({ value }) => value),
  };
  return { file, comments: parts.flatMap(({ comments }, i) => below(['targets', i], comments)) };
}

function targetOf(served: ServedTarget, default_authority: string | undefined): FilePart<object> {
  const { target, scope, verdict, findings } = served;
  const rpcs = rpcsFor(served);
  const errors = findings.filter((one) => isForbidden(one, { forbid: FORBIDDEN, allow: [] })).map(({ code }) => code);
  const allow = [...new Set(errors)].sort();
  const isNacked = scope.entries.some(({ status }) => status === 'NACKED');
  const resources = [...scope.entries].sort(byTypeAndName).map((entry): [string, FilePart<unknown>] => {
    return [`${shortType(entry.typeUrl)}/${entry.name}`, resourceOf(entry)];
  });
  const value = {
    target,
    ...(default_authority !== undefined && { default_authority }),
    ...(verdict.verdict !== 'ok' && { verdict: verdict.verdict }),
    ...(!isNacked && { never: ['NACKED'] }),
    ...(allow.length > 0 && { findings: { allow } }),
    resources: Object.fromEntries(resources.map(([key, part]) => [key, part.value])),
    ...(rpcs.value.length > 0 && { rpcs: rpcs.value }),
  };
  const comments = [
    ...(verdict.verdict === 'ok' ? [] : [verdictComment(verdict)]),
    ...allow.map((_, i) => ({ path: ['findings', 'allow', i], text: FAILING_NOW })),
    ...resources.flatMap(([key, part]) => below(['resources', key], part.comments)),
    ...below(['rpcs'], rpcs.comments),
  ];
  return { value, comments };
}

function verdictComment({ cause }: Verdict): Comment {
  return { path: ['verdict'], text: cause === null ? FAILING_NOW : `${FAILING_NOW} ${cause.message}` };
}

function resourceOf({ status, error, resource, bytes }: CacheEntry): FilePart<unknown> {
  const isFailing = status !== 'ACKED';
  if (resource?.type === 'EDS' && bytes !== undefined) {
    const { healthy } = endpointCounts(resource.value, bytes);
    const bad = [...(isFailing ? [['status']] : []), ...(healthy === 0 ? [['endpoints', 'healthy']] : [])];
    return { value: { status, endpoints: { healthy } }, comments: bad.map((path) => ({ path, text: FAILING_NOW })) };
  }
  if (status === 'RECEIVED_ERROR' && error?.cause === 'server-error') {
    const value = { status, error: statusName(error.status.code) };
    return { value, comments: [{ path: ['status'], text: FAILING_NOW }] };
  }
  return { value: status, comments: isFailing ? [{ path: [], text: FAILING_NOW }] : [] };
}

import { firstFew } from '../base/count-text.js';
import { EXIT, type ExitCode } from '../base/exit-codes.js';
import type { Preset } from '../bootstrap/preset-names.js';
import type { Comparison, ResourceCell, ResourceRow, TargetCell, TargetRow } from '../inspect/compare/comparison.js';
import { type Group, resourceGroups, targetGroups, verdictGroups } from '../inspect/compare/difference.js';
import { shortMessage } from './rpcs-text.js';
import { VERDICT_WORDS } from './verdict-text.js';
import { visibleMessage, visibleName } from './visible-text.js';

/** Further ignored parts of a resource are counted. */
const MAX_PARTS = 2;
const MAX_STATUS = 160;

/** `differs: grpc-java FAILS (UNAVAILABLE), the others OK`, or `OK for all 4 implementations` */
export function targetSummary({ cells }: TargetRow): string {
  const groups = verdictGroups(cells);
  const measured = groups.filter(({ cell }) => cell.verdict !== 'not-measured');
  const unknown = groups.filter(({ cell }) => cell.verdict === 'not-measured').flatMap(({ presets }) => presets);
  const also = unknown.length === 0 ? '' : `; ${listed(unknown)} not measured`;
  const [first, ...others] = measured;
  if (first === undefined) return `not measured for ${listed(unknown)}${commonReason(cells)}`;
  if (others.length === 0) {
    const { presets, cell } = first;
    const whose =
      unknown.length > 0 || presets.length === 1 ? listed(presets) : `all ${presets.length} implementations`;
    return `${cellWord(cell)} for ${whose}${commonReason(cells)}${also}`;
  }
  const texts = measured.map(({ presets, cell }, i) => {
    const isRest = i === measured.length - 1 && presets.length > 1 && unknown.length === 0;
    return `${isRest ? 'the others' : listed(presets)} ${cellWord(cell)}${codeText(cell)}`;
  });
  return `differs: ${texts.join(', ')}${also}`;
}

/** The reason, if all implementations have the same one. */
function commonReason(cells: TargetRow['cells']): string {
  const [only, ...others] = targetGroups(cells);
  if (only === undefined || others.length > 0 || only.cell.reason === null) return '';
  return `${only.cell.verdict === 'ok' ? ', but ' : ': '}${visibleMessage(only.cell.reason)}`;
}

function codeText({ verdict, status }: TargetCell): string {
  if (status === null) return verdict === 'fails' ? ' (RPCs are queued)' : '';
  return status.code === 'OK' ? '' : ` (${status.code})`;
}

export function cellWord({ verdict }: TargetCell): string {
  return verdict === 'not-measured' ? 'not measured' : VERDICT_WORDS[verdict];
}

/** The reasons for what a target does, in one line for each group of implementations, with the status of RPCs. */
export function targetReasons({ cells }: TargetRow): string[] {
  const groups = targetGroups(cells);
  const isCommon = commonReason(cells) !== '';
  const reasons = isCommon
    ? []
    : joinedBy(groups, ({ cell }) => cell.reason).map(
        ([reason, presets]) => `${listed(presets)}: ${visibleMessage(reason)}`,
      );
  const statuses = joinedBy(groups, ({ cell }) => statusText(cell)).map(([status, presets]) =>
    groups.length === 1 ? `RPCs: ${status}` : `RPCs of ${listed(presets)}: ${status}`,
  );
  return [...reasons, ...statuses];
}

function statusText({ status, reason, cause }: TargetCell): string | null {
  if (status === null || status.code === 'OK' || status.message === reason) return null;
  return status.message === '' ? status.code : `${status.code}: ${visibleMessage(messageText(status.message, cause))}`;
}

/** JSON has the message to the letter. Here, it does not repeat the NACK that is the reason already. */
function messageText(message: string, cause: TargetCell['cause']): string {
  if (cause?.code === 'rejected') return shortMessage(message);
  return message.length > MAX_STATUS ? `${message.slice(0, MAX_STATUS)}…` : message;
}

/** The implementations with the same text, in the order of their first one. */
function joinedBy<C>(groups: readonly Group<C>[], textOf: (group: Group<C>) => string | null): [string, Preset[]][] {
  const all = new Map<string, Preset[]>();
  for (const group of groups) {
    const text = textOf(group);
    if (text !== null) all.set(text, [...(all.get(text) ?? []), ...group.presets]);
  }
  return [...all];
}

/** The reasons for what implementations do with a resource, in one line for each group that does not simply accept it. */
export function resourceReasons(row: ResourceRow, targets: readonly TargetRow[] = []): string[] {
  const cells = targets.find(({ target }) => target === row.target)?.cells;
  return resourceGroups(row.cells).flatMap(({ presets, cell }) => {
    const news = presets.filter((preset) => !isInReason(row, cells?.get(preset)));
    const text = resourceText(cell, news.length);
    return text === undefined || news.length === 0 ? [] : [`${listed(news)} ${text}`];
  });
}

/** Whether the reason of the target is about this resource already. */
function isInReason({ type, name }: ResourceRow, target: TargetCell | undefined): boolean {
  if (target?.verdict === 'not-measured') return true;
  const about = target?.cause?.resource;
  return about?.type === type && about.name === name;
}

function resourceText({ verdict, reason, ignored }: ResourceCell, count: number): string | undefined {
  const s = count === 1 ? 's' : '';
  const why = reason === null ? '' : `: ${visibleMessage(reason)}`;
  switch (verdict) {
    case 'accepted':
      return ignored.length === 0 ? undefined : `ignore${s} ${partsText(ignored)}`;
    case 'rejected':
      return `reject${s} it${why}`;
    case 'missing':
      return `do${count === 1 ? 'es' : ''} not get it${why}`;
    case 'waiting':
      return `wait${s} for it`;
    case 'ignored':
      return `do${count === 1 ? 'es' : ''} not know its type`;
    case 'not-requested':
      return undefined;
    case 'not-measured':
      return `not measured${why}`;
  }
}

function partsText(ignored: ResourceCell['ignored']): string {
  const shown = ignored.slice(0, MAX_PARTS).map(({ path, reason }) => (path === '' ? reason : `${path} (${reason})`));
  const more = ignored.length - shown.length;
  return visibleMessage(`${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
}

/** `CDS orders-v1` */
export function resourceTitle({ type, name }: Pick<ResourceRow, 'type' | 'name'>): string {
  return `${type} ${name === '' ? '(no name)' : visibleName(name)}`;
}

/** `a`, `a and b`, `a, b and c` */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** Why the exit code is not 0: `grpc-java: xds:///orders fails, CDS orders-v1 is rejected` */
export function compareReason(code: ExitCode, { implementations }: Comparison): string | undefined {
  const required = implementations.filter(({ isRequired }) => isRequired);
  const names = (all: Comparison['implementations']): string => listed(all.map(({ preset }) => preset));
  switch (code) {
    case EXIT.interrupted:
      return 'interrupted';
    case EXIT.unavailable:
      return `no usable xDS server for ${names(required.filter(({ isLost }) => isLost))}`;
    case EXIT.timedOut:
      return [
        ...sentence(names(required.filter(({ outcome }) => outcome === 'waiting')), 'still waiting'),
        ...sentence(names(required.filter(({ outcome }) => outcome === 'not-measured')), 'not measured'),
      ].join('; ');
    case EXIT.findings:
      return [...failureGroups(required)].map(([failures, presets]) => `${listed(presets)}: ${failures}`).join('; ');
    default:
      return undefined;
  }
}

function sentence(names: string, what: string): string[] {
  return names === '' ? [] : [`${names} ${what}`];
}

const MAX_FAILURES = 3;

/** The implementations with the same failures. */
function failureGroups(required: Comparison['implementations']): Map<string, Preset[]> {
  const groups = new Map<string, Preset[]>();
  for (const { preset, failures } of required) {
    if (failures.length === 0) continue;
    const text = firstFew(failures, MAX_FAILURES, visibleMessage);
    groups.set(text, [...(groups.get(text) ?? []), preset]);
  }
  return groups;
}

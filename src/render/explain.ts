import { formatMillis } from '../base/duration.js';
import type { ExplainView } from '../view/explain.js';
import { visible, visibleMessage, visibleShort } from '../view/visible-text.js';
import type { Paint } from './bootstrap.js';

/** The answer first, then the way to it, then what to try. */
export function explainText(view: ExplainView, paint: Paint): string {
  const lines = [answer(view, paint), ''];
  view.steps.forEach(({ what, detail, isBad }, depth) => {
    const indent = depth === 0 ? '  ' : `  ${'  '.repeat(depth - 1)}└ `;
    const mark = isBad ? paint.error('✗ ') : '';
    lines.push(`${indent}${visibleShort(what)}   ${mark}${visibleShort(detail)}`);
  });
  for (const reason of view.route?.notTaken.slice(0, MAX_REASONS) ?? [])
    lines.push(`  ${paint.dim(visibleShort(reason))}`);
  if (view.paths.length > 1) lines.push('', ...view.paths.map((path) => pathText(path, paint)));
  if (view.timeout !== null) lines.push('', `  ${timeoutText(view.timeout)}${retryText(view)}`);
  if (view.hash !== null) lines.push(`  hash of the call: ${view.hash}`);
  if (view.addresses.length > 0)
    lines.push(`  would connect to ${view.addresses.slice(0, MAX_ADDRESSES).join(', ')}${more(view.addresses)}`);
  for (const hint of view.hints) lines.push('', `→ ${visibleMessage(hint)}`);
  return `${lines.join('\n')}\n`;
}

function pathText({ share, cluster, outcome, message }: ExplainView['paths'][number], paint: Paint): string {
  const percent = `${Math.round(1000 * share) / 10} %`;
  const where = cluster === null ? '' : ` → ${visibleShort(cluster)}`;
  const end =
    outcome === 'ok'
      ? paint.good('OK')
      : paint.error(`${outcome}${message === null ? '' : `: ${visibleShort(message)}`}`);
  return `  ${percent} of such RPCs${where}: ${end}`;
}

const MAX_REASONS = 10;
const MAX_ADDRESSES = 5;

function more(list: readonly string[]): string {
  return list.length > MAX_ADDRESSES ? ` and ${list.length - MAX_ADDRESSES} more` : '';
}

function answer({ target, outcome, status }: ExplainView, paint: Paint): string {
  const whose = visible(target);
  if (outcome === 'ok') return `${whose}   ${paint.good('OK')}: RPCs have somewhere to go`;
  if (outcome === 'fails')
    return `${whose}   ${paint.error(status?.code ?? '')}  ${visibleMessage(status?.message ?? '')}`;
  if (outcome === 'waits')
    return `${whose}   ${paint.warning('waits')}: RPCs wait for a configuration, until their deadline`;
  return `${whose}   ${paint.warning('unknown')}: a plugin chooses the cluster when an RPC is made`;
}

function timeoutText({ value, from }: NonNullable<ExplainView['timeout']>): string {
  if (value === null) return 'timeout: none';
  const says = {
    route: "the route's limit",
    listener: "the listener's limit",
    application: "the application's deadline",
  };
  return `timeout: ${formatMillis(value)} (${says[from as 'route'] ?? 'the default'})`;
}

function retryText({ retries }: ExplainView): string {
  return retries === null ? '' : ` · up to ${retries.attempts} attempts on ${retries.on.join(', ')}`;
}

import { firstFew } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { serverAddress } from '../../bootstrap/target.js';
import type { ExplainStep, ExplainView } from '../../inspect/explain/explanation.js';
import type { ExplainDocument } from '../documents.js';
import type { Page } from '../formats.js';
import { visible, visibleMessage, visibleShort } from '../visible-text.js';
import { findingsText } from './findings.js';
import { jsonText } from './json.js';
import type { Paint } from './paint.js';
import { fitLines } from './wrap.js';

/** The answer first, then the way to it, then what to try. */
export function explainText(view: ExplainView, paint: Paint): string {
  const lines = [answer(view, paint), ''];
  lines.push(...stepLines(view.steps, paint));
  for (const chain of view.chains) lines.push(...chainLines(chain, paint));
  for (const reason of view.route?.notTaken.slice(0, MAX_REASONS) ?? [])
    lines.push(`  ${paint.dim(visibleShort(reason))}`);
  if (view.paths.length > 1) lines.push('', ...view.paths.map((path) => pathText(path, paint)));
  if (view.timeout !== null) lines.push('', `  ${timeoutText(view.timeout)}${retryText(view)}`);
  lines.push(...conditionLines(view));
  if (view.hash !== null) lines.push(`  hash of the call: ${view.hash}`);
  if (view.addresses.length > 0) lines.push(`  would connect to ${firstFew(view.addresses, MAX_ADDRESSES, String)}`);
  for (const hint of view.hints) lines.push('', `→ ${visibleMessage(hint)}`);
  return `${lines.join('\n')}\n`;
}

function stepLines(steps: readonly ExplainStep[], paint: Paint, from = 0): string[] {
  return steps.map(({ what, detail, isBad }, i) => {
    const depth = from + i;
    const indent = depth === 0 ? '  ' : `  ${'  '.repeat(depth - 1)}└ `;
    const mark = isBad ? paint.error('✗ ') : '';
    return `${indent}${visibleShort(what)}   ${mark}${visibleShort(detail)}`.trimEnd();
  });
}

function chainLines(
  { match, outcome, status, dependsOn, steps }: ExplainView['chains'][number],
  paint: Paint,
): string[] {
  const says = {
    ok: paint.good('OK'),
    fails: paint.error(`${status?.code}: ${visibleShort(status?.message ?? '')}`),
    depends: paint.warning(`depends on ${dependsOn.map(visibleShort).join('; ')}`),
  };
  return [`  └ filter chain for ${visibleShort(match)}   ${says[outcome]}`, ...stepLines(steps, paint, 2)];
}

/** Whatever else decides how the call fares; nothing that is so by default. */
function conditionLines({ delay, authority, maxConcurrentRequests, fallback }: ExplainView): string[] {
  const lines: string[] = [];
  if (delay !== null) {
    const share = delay.share === 1 ? '' : `${percent(delay.share)} of such RPCs `;
    lines.push(`  ${share}held up for ${formatMillis(delay.value)} first, by the fault filter`);
  }
  const names = authority?.rewrittenTo ?? [];
  if (names.length > 0) lines.push(`  authority: the endpoint's own, ${firstFew(names, MAX_ADDRESSES, visibleShort)}`);
  if (maxConcurrentRequests !== null && maxConcurrentRequests !== DEFAULT_MAX_REQUESTS)
    lines.push(`  at most ${maxConcurrentRequests} RPCs at once to this cluster; more are dropped`);
  for (const { server, insteadOf } of fallback)
    lines.push(
      `  configured by the fallback server ${visible(server)} in place of ${insteadOf.map(visible).join(', ')}`,
    );
  return lines;
}

function percent(share: number): string {
  return `${Math.round(1000 * share) / 10} %`;
}

function pathText({ share, cluster, outcome, message }: ExplainView['paths'][number], paint: Paint): string {
  const where = cluster === null ? '' : ` → ${visibleShort(cluster)}`;
  const end =
    outcome === 'ok'
      ? paint.good('OK')
      : paint.error(`${outcome}${message === null ? '' : `: ${visibleShort(message)}`}`);
  return `  ${percent(share)} of such RPCs${where}: ${end}`;
}

const MAX_REASONS = 10;
const MAX_ADDRESSES = 5;
/** What a cluster takes at once unless it says otherwise. */
const DEFAULT_MAX_REQUESTS = 1024;

function answer({ target, outcome, status, chains }: ExplainView, paint: Paint): string {
  const whose = visible(target);
  const isServer = serverAddress(target) !== undefined;
  if (isServer && outcome === 'ok') return `${whose}   ${paint.good('OK')}: the application gets such RPCs`;
  if (chains.length > 0 && outcome === 'unknown') return `${whose}   ${paint.warning('depends')} on who calls`;
  if (isServer && outcome === 'waits') return `${whose}   ${paint.warning('waits')}: the server does not serve yet`;
  if (outcome === 'ok') return `${whose}   ${paint.good('OK')}: RPCs have somewhere to go`;
  if (outcome === 'fails' && status === null)
    return `${whose}   ${paint.error('does not serve')}: callers get no connection`;
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

export function explainTexts({ explanations, findings }: ExplainDocument, page: Page): string {
  const texts = explanations.map((view) => explainText(view, page.paint)).join('\n');
  return `${fitLines(texts, page.width)}${findingsText(findings, page)}`;
}

/** One target is one document, several are a list. */
export function explainJson(document: ExplainDocument): string {
  const documents = explainDocuments(document);
  return jsonText(documents.length === 1 ? documents[0] : documents);
}

/** Each target with the findings of its scope. */
export function explainDocuments({ as, explanations, findings }: ExplainDocument): object[] {
  return explanations.map((view) => ({
    schema: 'xds-inspect/explain/v1',
    as,
    ...view,
    findings: findings.filter(({ scope }) => scope === view.scope),
  }));
}

import { firstFew } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { serverAddress } from '../../bootstrap/target.js';
import type { ExplainStep, ExplainView } from '../../inspect/explain/explanation.js';
import type { ExplainDocument } from '../documents.js';
import type { Explanation } from '../explain.js';
import type { Page } from '../formats.js';
import { visible, visibleMessage, visibleShort } from '../visible-text.js';
import { allCallsHead, routeLines } from './explain-routes.js';
import { findingsText } from './findings.js';
import { jsonText } from './json.js';
import type { Paint } from './paint.js';
import { fitLines } from './wrap.js';

/** The outcome first, then the evidence, then hints. */
function explainText(view: Explanation, page: Page): string {
  const body = view.coversAllCalls ? allCallsLines(view, page) : callLines(view, page.paint);
  const hints = view.hints.flatMap((hint) => ['', `→ ${visibleMessage(hint)}`]);
  return `${[...body, ...hints].join('\n')}\n`;
}

/** All calls: the steps that they share, then each route. */
function allCallsLines(view: Explanation, page: Page): string[] {
  const { paint } = page;
  const end = view.steps.findIndex(({ what }) => what === 'route' || what === 'no route');
  const shared = stepLines(end < 0 ? view.steps : view.steps.slice(0, end), paint);
  const routes = routeLines(view, page);
  const clients = view.clients === null ? [] : ['', `  ${visibleMessage(view.clients)}`];
  return [...allCallsHead(view, paint), '', ...shared, ...(routes.length === 0 ? [] : ['', ...routes]), ...clients];
}

/** One call: its steps from the listener to the endpoints. */
function callLines(view: Explanation, paint: Paint): string[] {
  const lines = [outcomeLine(view, paint), '', ...stepLines(view.steps, paint)];
  for (const chain of view.chains) lines.push(...chainLines(chain, paint));
  for (const { index, reason } of view.route?.notTaken.slice(0, MAX_REASONS) ?? [])
    lines.push(`  ${paint.dim(visibleShort(`route ${index + 1}: ${reason}`))}`);
  if (view.paths.length > 1) lines.push('', ...view.paths.map((path) => pathText(path, paint)));
  if (view.timeout !== null) lines.push('', `  ${timeoutText(view.timeout)}${retryText(view)}`);
  lines.push(...conditionLines(view));
  if (view.hash !== null) lines.push(`  request hash: ${view.hash}`);
  if (view.addresses.length > 0) lines.push(`  would connect to ${firstFew(view.addresses, MAX_ADDRESSES, String)}`);
  return lines;
}

/** Counts routes from 1, including routes that gRPC ignores. */
function stepName({ what, place }: ExplainStep): string {
  if (place === undefined) return what;
  const { index, of } = place;
  return `${what} ${index + 1}${index < of ? ` of ${of}` : ''}`;
}

function stepLines(steps: readonly ExplainStep[], paint: Paint, from = 0): string[] {
  return steps.map((step, i) => {
    const { detail, isBad } = step;
    const depth = from + i;
    const indent = depth === 0 ? '  ' : `  ${'  '.repeat(depth - 1)}└ `;
    const mark = isBad ? paint.error('✗ ') : '';
    return `${indent}${visibleShort(stepName(step))}   ${mark}${visibleShort(detail)}`.trimEnd();
  });
}

function chainLines(
  { match, outcome, status, dependsOn, steps }: ExplainView['chains'][number],
  paint: Paint,
): string[] {
  const texts = {
    ok: paint.good('OK'),
    fails: paint.error(`${status?.code}: ${visibleShort(status?.message ?? '')}`),
    depends: paint.warning(`depends on ${dependsOn.map(visibleShort).join('; ')}`),
  };
  return [`  └ filter chain for ${visibleShort(match)}   ${texts[outcome]}`, ...stepLines(steps, paint, 2)];
}

/** Other settings that affect the call, if they differ from the defaults. */
function conditionLines({ delay, authority, maxConcurrentRequests, fallback }: ExplainView): string[] {
  const lines: string[] = [];
  if (delay !== null) {
    const share = delay.share === 1 ? '' : `${percent(delay.share)} of such RPCs `;
    lines.push(`  ${share}delayed by ${formatMillis(delay.value)} (fault filter)`);
  }
  const names = authority?.rewrittenTo ?? [];
  if (names.length > 0)
    lines.push(`  authority: rewritten to the endpoint hostname ${firstFew(names, MAX_ADDRESSES, visibleShort)}`);
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
/** The default circuit breaker of a cluster. */
const DEFAULT_MAX_REQUESTS = 1024;

/** The outcome of the call. */
function outcomeLine(view: Explanation, paint: Paint): string {
  const { target, method, outcome, status, chains, paths } = view;
  const line = (word: string, text: string): string => `${visible(target)}  ${word}  ${text}`;
  const isServer = serverAddress(target) !== undefined;
  const rpcs = method === '/' ? 'such RPCs' : `RPCs to ${visibleShort(method)}`;
  const failing = paths.filter((path) => path.outcome === 'fails');
  const share = failing.reduce((sum, path) => sum + path.share, 0);
  if (failing.length > 0 && failing.length < paths.length)
    return line(
      paint.warning('PARTLY'),
      `${percent(share)} of ${rpcs} fail: ${visibleMessage(failing[0]?.message ?? '')}`,
    );
  switch (outcome) {
    case 'ok':
      return line(paint.good('OK'), isServer ? `the server accepts ${rpcs}` : `${rpcs} find a usable endpoint`);
    case 'fails':
      if (status === null) return line(paint.error('FAILS'), 'the server is not serving: it accepts no connections');
      return line(paint.error(status.code), visibleMessage(status.message));
    case 'waits':
      return line(paint.warning('WAITING'), isServer ? 'the server is not serving yet' : QUEUED);
    case 'unknown':
      return line(paint.warning('UNKNOWN'), chains.length > 0 ? 'the outcome depends on the caller' : PLUGIN);
  }
}

const QUEUED = 'the configuration is incomplete: RPCs are queued until their deadline';
const PLUGIN = 'a plugin chooses the cluster of each RPC';

function timeoutText({ value, from }: NonNullable<ExplainView['timeout']>): string {
  if (value === null) return 'timeout: none';
  const sources = {
    route: "the route's limit",
    listener: "the listener's limit",
    application: "the application's deadline",
  };
  return `timeout: ${formatMillis(value)} (${sources[from as 'route'] ?? 'the default'})`;
}

function retryText({ retries }: ExplainView): string {
  return retries === null ? '' : ` · up to ${retries.attempts} attempts on ${retries.on.join(', ')}`;
}

export function explainTexts({ explanations, findings }: ExplainDocument, page: Page): string {
  const texts = explanations.map((view) => explainText(view, page)).join('\n');
  return `${fitLines(texts, page.width)}${findingsText(findings, page)}`;
}

/** One target is printed as an object, several as a list. */
export function explainJson(document: ExplainDocument): string {
  return jsonText(explainData(document));
}

/** One object, or a list for several targets. */
export function explainData(document: ExplainDocument): unknown {
  const documents = explainDocuments(document);
  return documents.length === 1 ? documents[0] : documents;
}

/** Each target with the findings of its scope. Routes are counted from 0. */
export function explainDocuments({ as, explanations, findings }: ExplainDocument): object[] {
  return explanations.map(({ coversAllCalls, hasUnmatchedCalls, clients, ...view }) => ({
    schema: 'xds-inspect/explain/v1',
    as,
    ...view,
    route: view.route && {
      ...view.route,
      notTaken: view.route.notTaken.map(({ index, reason }) => `route ${index}: ${reason}`),
    },
    chains: view.chains.map((chain) => ({ ...chain, steps: chain.steps.map(stepJson) })),
    steps: view.steps.map(stepJson),
    findings: findings.filter(({ scope }) => scope === view.scope),
  }));
}

function stepJson({ place, what, ...step }: ExplainStep): object {
  return { what: place === undefined ? what : `${what} ${place.index} of ${place.of}`, ...step };
}

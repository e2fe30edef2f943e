import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clockTime } from '../../../base/clock-time.js';
import { firstFew } from '../../../base/count-text.js';
import { formatMillis } from '../../../base/duration.js';
import type { ExplainStep, ExplainView, ServedChain } from '../../../inspect/explain/explanation.js';
import { percentText } from '../../../inspect/verdict/phrases.js';
import type { Explanation } from '../../explain.js';
import { visibleMessage } from '../../visible-text.js';
import { callPeriods, followCall } from '../call-periods.js';
import { explanation } from '../explained.js';
import { Icon } from '../icons.js';
import { now } from '../store.js';
import { shortLine, shortName } from '../text.js';
import { CALL_ICONS, outcomeOf } from './call-outcome.js';
import { CallStrip } from './call-strip.js';
import { RouteOutcomes } from './rpc-routes.js';

/** `explain` for the RPC of the RPC bar, at the selected time. */
export function RpcPane(): JSX.Element {
  useEffect(followCall, []);
  const view = explanation.value;
  if (view === undefined) return <p class="empty">No target at this time.</p>;
  return (
    <div class="rpc-pane">
      <Outcome view={view} />
      {view.coversAllCalls ? <RouteOutcomes view={view} /> : <Steps view={view} />}
      {view.hints.length > 0 && (
        <ul class="hints" aria-label="Advice">
          {view.hints.map((hint) => (
            <li key={hint}>
              <span aria-hidden="true">→ </span>
              {shortLine(hint, 1000)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Outcome({ view }: { view: Explanation }): JSX.Element {
  const { state, word, message } = outcomeOf(view);
  const period = callPeriods.value.periods.find(({ from, to }) => from <= now.value && now.value < to);
  const failing = view.paths.filter(({ outcome }) => outcome === 'fails').reduce((sum, { share }) => sum + share, 0);
  return (
    <section class="rpc-outcome" aria-label="Outcome">
      <h3 class={`is-${state}`}>
        <Icon kind={CALL_ICONS[state]} />
        {word}
        {view.coversAllCalls && <small>all RPCs to this target</small>}
        {!view.coversAllCalls && state === 'partly' && <small>{percentText(failing)} of such RPCs fail</small>}
        {!view.coversAllCalls && period !== undefined && state !== 'partly' && (
          <small>since {clockTime(period.from)}</small>
        )}
      </h3>
      {message !== '' && <p class="rpc-message">{visibleMessage(message)}</p>}
      {!view.coversAllCalls && <CallStrip />}
    </section>
  );
}

function Steps({ view }: { view: Explanation }): JSX.Element {
  const { steps, route, chains } = view;
  const before = steps.findIndex(({ what }) => what === 'route' || what === 'no route');
  const split = before < 0 ? steps.length : before;
  return (
    <dl class="steps">
      {steps.slice(0, split).map((step) => (
        <Step key={step.what} step={step} />
      ))}
      {route !== null && <NotTaken route={route} />}
      {steps.slice(split).map((step) => (
        <Step key={step.what} step={step} />
      ))}
      {chains.map((chain, i) => (
        <Chain key={`${i} ${chain.match}`} chain={chain} />
      ))}
      <Conditions view={view} />
    </dl>
  );
}

/** `cluster orders-blue` is the noun and the name. */
const NOUN = /^(listener|routes|virtual host|cluster|its leaf|endpoints|filter) (.*)$/s;

function Step({ step }: { step: ExplainStep }): JSX.Element {
  const { what, detail, isBad, place } = step;
  const [, noun = what, name = ''] = NOUN.exec(what) ?? [];
  const number = place === undefined ? '' : ` ${place.index + 1}${place.index < place.of ? ` of ${place.of}` : ''}`;
  return (
    <Row icon={isBad ? 'error' : 'ok'} term={`${noun.replace('its leaf', 'leaf')}${number}`}>
      {name !== '' && <code class="step-name">{shortName(name, 100)} </code>}
      <span class={isBad ? 'is-fails' : 'step-detail'}>{shortLine(detail, 400)}</span>
    </Row>
  );
}

const MOST_REASONS = 5;

/** Earlier routes, and why they do not match. */
function NotTaken({ route }: { route: NonNullable<ExplainView['route']> }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { notTaken } = route;
  const shown = isOpen ? notTaken.slice(0, 500) : notTaken.slice(0, MOST_REASONS);
  return (
    <>
      {shown.map(({ index, reason }) => (
        <Row key={index} icon={undefined} term={`route ${index + 1}`}>
          <span class="step-detail">{shortLine(reason, 300)}</span>
        </Row>
      ))}
      {notTaken.length > shown.length && (
        <Row icon={undefined} term="">
          <button type="button" class="link" onClick={() => setOpen(true)}>
            {notTaken.length - shown.length} more routes do not match
          </button>
        </Row>
      )}
    </>
  );
}

function Chain({ chain }: { chain: ServedChain }): JSX.Element {
  const { match, outcome, status, dependsOn, steps } = chain;
  const icon = outcome === 'ok' ? 'ok' : outcome === 'fails' ? 'error' : 'unknown';
  const text =
    outcome === 'ok' ? 'OK' : outcome === 'fails' ? (status?.code ?? 'fails') : `depends on ${dependsOn.join('; ')}`;
  return (
    <>
      <Row icon={icon} term="filter chain">
        <code class="step-name">{shortName(match, 200)} </code>
        <span class={outcome === 'fails' ? 'is-fails' : 'step-detail'}>{shortLine(text, 300)}</span>
        {status !== null && <div class="step-detail">{shortLine(status.message, 300)}</div>}
      </Row>
      {steps.map((step) => (
        <Step key={step.what} step={step} />
      ))}
    </>
  );
}

const SOURCES: Record<string, string> = {
  route: 'max_stream_duration of the route',
  listener: 'max_stream_duration of the listener',
  application: 'the deadline of the application',
};
const MOST_ADDRESSES = 8;
/** The default circuit breaker of a cluster. */
const DEFAULT_MAX_REQUESTS = 1024;

/** What else applies to the RPC. */
function Conditions({ view }: { view: Explanation }): JSX.Element {
  const { timeout, retries, delay, authority, maxConcurrentRequests, fallback, paths, hash, addresses } = view;
  const rewritten = authority?.rewrittenTo ?? [];
  const rows: [term: string, text: string][] = [
    ...(timeout === null ? [] : ([['timeout', timeoutText(timeout)]] as [string, string][])),
    ...(retries === null
      ? []
      : ([['retries', `up to ${retries.attempts} attempts on ${retries.on.join(', ')}`]] as [string, string][])),
    ...(delay === null
      ? []
      : ([
          [
            'delay',
            `${percentText(delay.share)} of such RPCs are delayed by ${formatMillis(delay.value)} (fault filter)`,
          ],
        ] as [string, string][])),
    ...(paths.length > 1 ? paths.map(shareRow) : []),
    ...(rewritten.length === 0
      ? []
      : ([['authority', `rewritten to ${firstFew(rewritten, MOST_ADDRESSES, String)}`]] as [string, string][])),
    ...(maxConcurrentRequests === null || maxConcurrentRequests === DEFAULT_MAX_REQUESTS
      ? []
      : ([['limit', `at most ${maxConcurrentRequests} RPCs at once; more are dropped`]] as [string, string][])),
    ...fallback.map(({ server, insteadOf }): [string, string] => [
      'fallback',
      `configured by ${server} in place of ${insteadOf.join(', ')}`,
    ]),
    ...(hash === null ? [] : ([['hash', hash]] as [string, string][])),
    ...(addresses.length === 0
      ? []
      : ([['connects to', firstFew(addresses, MOST_ADDRESSES, String)]] as [string, string][])),
  ];
  return (
    <>
      {rows.map(([term, text], i) => (
        <Row key={`${i} ${term}`} icon={undefined} term={term}>
          <span class="step-detail">{shortLine(text, 500)}</span>
        </Row>
      ))}
    </>
  );
}

function timeoutText({ value, from }: NonNullable<ExplainView['timeout']>): string {
  return value === null ? 'none' : `${formatMillis(value)}, ${SOURCES[from] ?? 'the default'}`;
}

function shareRow({ share, cluster, outcome, code, message }: ExplainView['paths'][number]): [string, string] {
  const end = outcome === 'ok' ? 'OK' : `${code ?? outcome}${message === null ? '' : `: ${message}`}`;
  return [percentText(share), `${cluster === null ? '' : `cluster ${shortName(cluster, 80)}: `}${end}`];
}

function Row(props: {
  icon: 'ok' | 'error' | 'unknown' | undefined;
  term: string;
  children: preact.ComponentChildren;
}): JSX.Element {
  return (
    <div class="step">
      {props.icon === undefined ? (
        <span class="step-dash" aria-hidden="true" />
      ) : (
        <Icon kind={props.icon} label={ICON_LABELS[props.icon]} />
      )}
      <dt>{props.term}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

const ICON_LABELS = { ok: 'OK', error: 'fails', unknown: 'depends' };

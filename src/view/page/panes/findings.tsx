import type { ComponentChildren, JSX } from 'preact';
import { timeOfDay } from '../../../base/clock-time.js';
import { countText, firstFew, thousands } from '../../../base/count-text.js';
import { formatMillis } from '../../../base/duration.js';
import { timesText } from '../../../base/times-text.js';
import type { FindingView } from '../../../inspect/finding-view.js';
import type { ErrorView, ReportScope } from '../../report.js';
import type { TearGroupView } from '../../tears.js';
import { Icon, type IconKind } from '../icons.js';
import { data, report, reportScope, selectResource, selectTime } from '../store.js';
import { shortLine, shortName } from '../text.js';

/** A list for people: more entries are counted. */
const MOST = 100;

/** The findings, tears and errors of the selected client_scope, up to the selected time. */
export function FindingsPane(): JSX.Element {
  const shown = reportScope.value;
  if (shown === undefined) return <p class="empty">No session at this time.</p>;
  const { findings, groups, errors, heldBack } = shown;
  if (findings.length + groups.length + errors.length + heldBack.length === 0)
    return <p class="empty">No findings, config tears or errors up to this time.</p>;
  return (
    <div class="findings">
      <Section title="Findings" list={findings} noun="finding">
        {(finding) => <Finding key={`${finding.code} ${finding.begin} ${finding.server}`} finding={finding} />}
      </Section>
      <Section title="Config tears" list={groups} noun="group of tears">
        {(group) => <TearGroup key={`${group.kind} ${group.begin} ${group.target}`} group={group} />}
      </Section>
      <HeldBack scope={shown} />
      <Section title="Errors as they propagated" list={errors} noun="error">
        {(error) => <ErrorRow key={`${error.at} ${error.type} ${error.names[0]} ${error.cause}`} error={error} />}
      </Section>
      {(report.value?.droppedErrors ?? 0) > 0 && (
        <p class="note">{countText(report.value?.droppedErrors ?? 0, 'earlier error')} are no longer listed.</p>
      )}
    </div>
  );
}

function Section<T>(props: {
  title: string;
  list: readonly T[];
  noun: string;
  children: (one: T) => JSX.Element;
}): JSX.Element | null {
  const { title, list, noun, children } = props;
  if (list.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title} <span class="count">{thousands(list.length)}</span>
      </h3>
      <ul>{list.slice(0, MOST).map(children)}</ul>
      {list.length > MOST && <p class="note">and {countText(list.length - MOST, `more ${noun}`)}</p>}
    </section>
  );
}

const SEVERITIES: Record<FindingView['severity'], IconKind> = { error: 'error', warning: 'nack', note: 'unknown' };

function Finding({ finding }: { finding: FindingView }): JSX.Element {
  const { code, severity, message, advice, count, rate, ongoing, durationMs, begin, last, server, type, names } =
    finding;
  const times = timesText(count, durationMs, rate ?? undefined);
  return (
    <Entry icon={SEVERITIES[severity]} title={`${code} ${severity}`} text={message} advice={advice}>
      <Times from={begin} to={last} />
      {times !== '' && <span>{`${times}${ongoing ? ', ongoing' : ''}`}</span>}
      <Resources type={type ?? ''} names={names} />
      <span>{shortName(server, 60)}</span>
      <code>{`${data.value?.program ?? 'xds-inspect'} docs ${code}`}</code>
    </Entry>
  );
}

function TearGroup({ group }: { group: TearGroupView }): JSX.Element {
  const { kind, count, open, minMs, maxMs, begin, end, happened, withA74, withoutA74, advice, resources } = group;
  const duration = minMs === maxMs ? formatMillis(maxMs) : `${formatMillis(minMs)} to ${formatMillis(maxMs)}`;
  return (
    <Entry icon="tear" title={kind} text={happened} advice={advice}>
      <Times from={begin} to={end ?? begin} />
      <span>{`${count > 1 ? `${thousands(count)} times, ` : ''}${duration}${open > 0 ? ', still open' : ''}`}</span>
      {resources.slice(0, 3).map(({ type, name }) => (
        <Resources key={`${type} ${name}`} type={type} names={[name]} />
      ))}
      <span class="tear-effects">
        gRPC with A74: {shortLine(withA74, 300)}
        <br />
        clients without A74: {shortLine(withoutA74, 300)}
      </span>
    </Entry>
  );
}

function HeldBack({ scope }: { scope: ReportScope }): JSX.Element | null {
  return (
    <Section title="Held back within the grace period" list={scope.heldBack} noun="name">
      {({ type, name, begin, end, durationMs }) => (
        <Entry
          key={`${type} ${name} ${begin}`}
          icon="tear"
          title={formatMillis(durationMs)}
          text={`RPCs kept the previous configuration until ${type} ${name} arrived`}
          advice={null}
        >
          <Times from={begin} to={end} />
          <Resources type={type} names={[name]} />
        </Entry>
      )}
    </Section>
  );
}

const KINDS: Record<string, string> = {
  nack: 'NACK',
  timer: 'resource timer expired',
  deletion: 'deleted',
  channel: 'channel error',
  stream: 'stream error',
};

function ErrorRow({ error }: { error: ErrorView }): JSX.Element {
  const {
    at,
    last,
    count,
    type,
    names,
    resources,
    cause,
    code,
    message,
    server,
    version,
    effect,
    keptVersion,
    watchers,
  } = error;
  const kind = KINDS[cause] ?? code;
  const of = version === null || version === '' ? '' : ` version ${shortName(version, 60)}`;
  return (
    <Entry
      icon={effect === 'kept' ? 'nack' : 'error'}
      title={`${kind}${of}`}
      text={cause === 'deletion' ? 'the response omits it' : message}
      advice={null}
    >
      <Times from={at} to={last} />
      {count > 1 && <span>{thousands(count)} times</span>}
      <Resources type={type} names={names} total={resources} />
      {server !== '' && <span>from {shortName(server, 60)}</span>}
      <span>→ {effectText(effect, keptVersion)}</span>
      {watchers > 0 && <span>{countText(watchers, 'watcher')} notified</span>}
    </Entry>
  );
}

function effectText(effect: ErrorView['effect'], kept: string | null): string {
  if (effect === 'kept') return kept === null ? 'kept the cached version' : `kept version ${shortName(kept, 60)}`;
  return effect === 'dropped' ? 'dropped the cached version' : 'nothing was cached';
}

function Entry(props: {
  icon: IconKind;
  title: string;
  text: string;
  advice: string | null;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <li class="finding">
      <Icon kind={props.icon} />
      <div>
        <p class="finding-text">
          <strong>{shortLine(props.title, 120)}</strong> {shortLine(props.text, 1000)}
        </p>
        {props.advice !== null && <p class="finding-advice">→ {shortLine(props.advice, 600)}</p>}
        <p class="finding-facts">{props.children}</p>
      </div>
    </li>
  );
}

/** Buttons that select the time of the first and of the last occurrence. */
function Times({ from, to }: { from: string; to: string }): JSX.Element {
  return (
    <span>
      <TimeButton time={from} />
      {to !== from && (
        <>
          {' to '}
          <TimeButton time={to} />
        </>
      )}
    </span>
  );
}

function TimeButton({ time }: { time: string }): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => selectTime(parseTime(time))}>
      {timeOfDay(time)}
    </button>
  );
}

/** Documents contain times as RFC 3339. */
function parseTime(time: string): number {
  return Date.parse(time);
}

function Resources({
  type,
  names,
  total = names.length,
}: {
  type: string;
  names: readonly string[];
  total?: number;
}): JSX.Element | null {
  const [first] = names;
  if (type === '' || first === undefined) return null;
  if (total > 1)
    return (
      <span>{`${type} ${firstFew(names, 3, (name) => shortName(name, 40))}${total > Math.max(3, names.length) ? ` (${countText(total, 'resource')})` : ''}`}</span>
    );
  return (
    <button type="button" class="link" onClick={() => selectResource({ type, name: first }, 'resource')}>
      {type} {shortName(first, 60)}
    </button>
  );
}

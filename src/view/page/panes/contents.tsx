import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import { clockTime } from '../../../base/clock-time.js';
import { countText } from '../../../base/count-text.js';
import { typeUrlOf } from '../../../proto/resource-types.js';
import { type VersionContents, versionContents } from '../../resource-versions.js';
import { contentOf, now, selectedResource } from '../store.js';
import { shortName } from '../text.js';
import { VirtualList } from '../virtual-list.js';
import { Difference } from './difference.js';
import { NoContents } from './no-contents.js';
import { pastEntries } from './resource.js';
import { YamlText } from './yaml-text.js';

const ROW = 18;

/** `d` switches between one version and the difference. */
export const isDifference = signal(false);
/** The versions that the user chose, by `keyOf`; undefined: as the selected time says. */
const chosen = signal<{ resource: string; before?: string; after?: string }>({ resource: '' });

const versions = computed(() => versionContents(pastEntries.value));

/** The YAML of the selected resource, or the difference of two of its versions. */
export function ContentsPane(): JSX.Element {
  const ref = selectedResource.value;
  if (ref === undefined) return <p class="empty">Select a resource to see its contents.</p>;
  const all = versions.value;
  const resource = `${ref.type} ${ref.name}`;
  const own = chosen.value.resource === resource ? chosen.value : { resource };
  const current = currentVersion(all);
  const after = all.findIndex((one) => keyOf(one) === own.after);
  const shown = after >= 0 ? after : current;
  const before = all.findIndex((one) => keyOf(one) === own.before);
  const other = before >= 0 ? before : Math.max(0, shown - 1);
  const choose = (change: Partial<typeof own>): void => {
    chosen.value = { ...own, ...change, resource };
  };
  const [left, right] = [all[other], all[shown]];
  if (right === undefined) return <p class="empty">The client never received {shortName(resource, 120)}.</p>;
  const canCompare = all.length > 1;
  const shows = isDifference.value && canCompare && left !== undefined;
  return (
    <>
      <div class="pane-bar">
        <strong class="mono">{shortName(resource, 60)}</strong>
        <ModeButton isOn={!shows} label="One version" onClick={() => setMode(false)} />
        <ModeButton isOn={shows} label="Difference" isDisabled={!canCompare} onClick={() => setMode(true)} />
        {shows && <VersionSelect label="from" all={all} index={other} onChange={(key) => choose({ before: key })} />}
        <VersionSelect
          label={shows ? 'to' : 'version'}
          all={all}
          index={shown}
          onChange={(key) => choose({ after: key })}
        />
        {after >= 0 && after !== current && (
          <button type="button" onClick={() => choose({ after: '', before: '' })}>
            as of {clockTime(now.value)}
          </button>
        )}
        <span class="pane-count">{countText(all.length, 'version')}</span>
      </div>
      {shows ? (
        <Difference type={ref.type} before={left} after={right} />
      ) : (
        <OneVersion type={ref.type} shown={right} />
      )}
    </>
  );
}

function setMode(difference: boolean): void {
  isDifference.value = difference;
}

/** The newest version at the selected time; the first one if there is none yet. A rejected version counts. */
function currentVersion(all: readonly VersionContents[]): number {
  return Math.max(
    0,
    all.findLastIndex(({ at }) => at <= now.value),
  );
}

/** Versions of different times can have the same text. */
function keyOf({ at, version, isRejected }: VersionContents): string {
  return `${at} ${isRejected ? 'rejected' : 'used'} ${version}`;
}

function ModeButton(props: { isOn: boolean; label: string; isDisabled?: boolean; onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="toggle" aria-pressed={props.isOn} disabled={props.isDisabled} onClick={props.onClick}>
      {props.label}
    </button>
  );
}

/** More versions are not offered, so that a session of days has no list of 100,000 options. */
const MOST_OPTIONS = 300;

function VersionSelect(props: {
  label: string;
  all: readonly VersionContents[];
  index: number;
  onChange: (key: string) => void;
}): JSX.Element {
  const { label, all, index, onChange } = props;
  const options = all.map((one, i) => ({ one, i })).filter(({ i }) => i === index || i >= all.length - MOST_OPTIONS);
  const selected = all[index];
  return (
    <label>
      {label}
      <select value={selected && keyOf(selected)} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(({ one }) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {shortName(one.version, 30) || '(no version)'}
            {one.isRejected ? ' rejected' : ''} · {clockTime(one.at)}
          </option>
        ))}
      </select>
    </label>
  );
}

function OneVersion({ type, shown }: { type: string; shown: VersionContents }): JSX.Element {
  const content = contentOf(typeUrlOf(type), shown.bytes);
  if (content === undefined) return <NoContents />;
  return (
    <>
      {shown.isRejected && <p class="rejected-note">The client rejected this version.</p>}
      <Yaml text={content.yaml} />
    </>
  );
}

/** A text of any length: only visible lines are elements. */
function Yaml({ text }: { text: string }): JSX.Element {
  const lines = linesOf(text);
  return (
    <VirtualList label="Contents as YAML" count={lines.length} rowHeight={ROW} selected={-1} keyOf={(i) => i}>
      {(i) => (
        <span class="yaml-line">
          <span class="line-number">{i + 1}</span>
          <YamlText text={lines[i] ?? ''} />
        </span>
      )}
    </VirtualList>
  );
}

let split: { text: string; lines: string[] } = { text: '', lines: [] };

function linesOf(text: string): string[] {
  if (split.text !== text) split = { text, lines: text.replace(/\n$/, '').split('\n') };
  return split.lines;
}

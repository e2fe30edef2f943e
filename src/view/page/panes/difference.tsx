import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { typeUrlOf } from '../../../proto/resource-types.js';
import type { LineRow } from '../../diff/line-diff.js';
import { type ChangeRow, resourceDiffDocument } from '../../diff/resource-diff.js';
import type { PageContent } from '../../page-data.js';
import type { VersionContents } from '../../resource-versions.js';
import { contentOf } from '../store.js';
import { shortLine, shortName } from '../text.js';
import { VirtualList } from '../virtual-list.js';
import { NoContents } from './no-contents.js';
import { YamlText } from './yaml-text.js';

const ROW = 18;
const CHANGE_ROW = 22;

interface Versions {
  type: string;
  before: VersionContents;
  after: VersionContents;
}

/** Two versions of a resource: the fields that differ, and both texts side by side. */
export function Difference({ type, before, after }: Versions): JSX.Element {
  const typeUrl = typeUrlOf(type);
  const [left, right] = [contentOf(typeUrl, before.bytes), contentOf(typeUrl, after.bytes)];
  if (left === undefined || right === undefined) return <NoContents />;
  return <Compared type={type} left={left} right={right} />;
}

function Compared({ type, left, right }: { type: string; left: PageContent; right: PageContent }): JSX.Element {
  const [isText, setText] = useState(false);
  const diff = useMemo(() => resourceDiffDocument(type, left, right), [type, left, right]);
  const { summary, rows, lines, notes, isEqual } = diff;
  return (
    <>
      <div class="diff-head">
        <strong>{summary}</strong>
        {notes.map((note) => (
          <span class="quiet" key={note}>
            {shortLine(note, 300)}
          </span>
        ))}
        {!isEqual && (
          <button type="button" class="link" aria-pressed={isText} onClick={() => setText(!isText)}>
            {isText ? 'Show changed fields' : 'Hide changed fields'}
          </button>
        )}
      </div>
      {!isText && !isEqual && (
        <div class="diff-changes" style={{ height: `${Math.min(rows.length, 7) * CHANGE_ROW + 4}px` }}>
          <VirtualList label="Changed fields" count={rows.length} rowHeight={CHANGE_ROW} selected={-1} keyOf={(i) => i}>
            {(i) => <Change row={rows[i]} />}
          </VirtualList>
        </div>
      )}
      <VirtualList
        label="Both versions as YAML, side by side"
        count={lines.length}
        rowHeight={ROW}
        selected={-1}
        shown={lines.findIndex(({ kind }) => kind !== 'same')}
        keyOf={(i) => i}
        classOf={(i) => `line-${lines[i]?.kind ?? 'same'}`}
      >
        {(i) => <SideBySide row={lines[i]} />}
      </VirtualList>
    </>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '≠', moved: '↕' };

function Change({ row }: { row: ChangeRow | undefined }): JSX.Element {
  if (row === undefined) return <span />;
  const { path, kind, before, after } = row;
  return (
    <span
      class={`change change-${kind}`}
      title={`${path}\n${before}${kind === 'changed' || kind === 'moved' ? ' → ' : ''}${after}`}
    >
      <span class="change-kind" role="img" aria-label={kind}>
        {SIGNS[kind]}
      </span>
      <code>{shortName(path, 90)}</code>
      <span class="change-values">
        {before !== '' && <span class="value-before">{before}</span>}
        {before !== '' && after !== '' && <span aria-hidden="true"> → </span>}
        {after !== '' && <span class="value-after">{after}</span>}
      </span>
    </span>
  );
}

function SideBySide({ row }: { row: LineRow | undefined }): JSX.Element {
  return (
    <span class="side-by-side">
      <Half line={row?.left} />
      <Half line={row?.right} />
    </span>
  );
}

function Half({ line }: { line: LineRow['left'] }): JSX.Element {
  if (line === undefined) return <span class="half is-empty" />;
  return (
    <span class="half">
      <span class="line-number">{line.number}</span>
      <YamlText text={line.text} />
    </span>
  );
}

import { timestamp } from '../../proto/timestamp.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Span, Track } from '../timeline/track.js';
import { jsonText } from './json.js';

/** An event of the Trace Event Format, which Perfetto and chrome://tracing read. Times are in microseconds. */
interface TraceEvent {
  ph: 'M' | 'X' | 'i' | 'b' | 'e';
  pid: number;
  tid: number;
  name: string;
  ts?: number;
  dur?: number;
  [field: string]: unknown;
}

/**
 * A timeline as trace events, one per line: a client_scope is a process, and a track is a thread. Tears may overlap, so they are
 * asynchronous events.
 */
export function* traceParts({ start, end, tracks }: Timeline): Generator<string> {
  const times = { start: timestamp(start), end: timestamp(end) };
  yield `{"displayTimeUnit":"ms","otherData":${line({ tool: 'xds-inspect', ...times })},"traceEvents":[\n`;
  let separator = '';
  for (const event of traceEvents(tracks, start)) {
    yield `${separator}${line(event)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

function line(value: object): string {
  return jsonText(value, true).trimEnd();
}

function* traceEvents(tracks: readonly Track[], start: number): Generator<TraceEvent> {
  const scopes = [...new Set(tracks.map(({ scope }) => scope))];
  for (const [i, scope] of scopes.entries()) {
    const pid = i + 1;
    yield { ph: 'M', pid, tid: 0, name: 'process_name', args: { name: scope || 'without a target' } };
    yield { ph: 'M', pid, tid: 0, name: 'process_sort_index', args: { sort_index: i } };
  }
  for (const [i, track] of tracks.entries()) {
    const tid = i + 1;
    const at = { pid: scopes.indexOf(track.scope) + 1, tid };
    yield { ph: 'M', ...at, name: 'thread_name', args: { name: titleOf(track) } };
    yield { ph: 'M', ...at, name: 'thread_sort_index', args: { sort_index: i } };
    const micros = (time: number): number => Math.round((time - start) * 1000);
    for (const [k, span] of track.spans.entries()) yield* spanEvents(span, track, at, micros, `${tid}.${k}`);
    for (const { at: time, kind, text } of track.marks)
      yield { ph: 'i', ...at, ts: micros(time), s: 't', cat: kind, name: text, args: { kind } };
  }
}

function* spanEvents(
  { from, to, isOpen, state, text }: Span,
  { kind }: Track,
  at: { pid: number; tid: number },
  micros: (time: number) => number,
  id: string,
): Generator<TraceEvent> {
  const args = { state, ...(isOpen && { end: 'still so at the end of the session' }) };
  const event = { ...at, cat: kind, name: text, ts: micros(from), args };
  if (kind !== 'tears') {
    yield { ph: 'X', ...event, dur: micros(to) - micros(from) };
    return;
  }
  yield { ph: 'b', ...event, id };
  yield { ph: 'e', ...event, ts: micros(to), id };
}

const TITLES: Record<Exclude<Track['kind'], 'resource'>, (name: string) => string> = {
  target: (name) => `verdict on ${name}`,
  tears: (name) => `tears of ${name}`,
  server: (name) => `server ${name}`,
  stream: (name) => `ADS streams to ${name}`,
};

function titleOf({ kind, name, type }: Track): string {
  return kind === 'resource' ? `${type} ${name}` : TITLES[kind](name);
}

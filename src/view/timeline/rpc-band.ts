import type { PastChannel } from '../../inspect/history/session-history.js';
import type { VerdictWord } from '../../inspect/verdict/verdict.js';
import type { PastVerdict } from '../../inspect/verdict-history.js';
import { verdictHead } from '../verdict-text.js';

/** What RPCs to a target used for some time. */
export interface BandPiece {
  from: number;
  to: number;
  verdict: VerdictWord;
  text: string;
  /** The text without what the previous piece already says. */
  label: string;
  /** A newer configuration was incomplete, so RPCs used this one. */
  isHeldBack: boolean;
}

export interface RpcBandInput {
  target: string;
  channels: readonly PastChannel[];
  /** Of this target. */
  verdicts: readonly PastVerdict[];
  /** The version of the routes in a configuration; undefined if they are inline in the listener. */
  routesVersion(channel: Channel, at: number): string | undefined;
  /** The verdict at a time, with all details. Recorded changes lack those in which only the number of failures changed. */
  verdictAt(at: number): Pick<PastVerdict, 'verdict' | 'cause'> | undefined;
  /** Configurations are numbered only if the history has all of them. */
  isNumbered: boolean;
  end: number;
}

type Channel = NonNullable<PastChannel['channel']>;
/** A piece without its end; without a text while the target was not followed. */
type Start = Omit<BandPiece, 'to' | 'text' | 'label'> & { text: string | undefined; config: string };

/** The configurations that RPCs to a target used, with the verdict on them. */
export function rpcBand(input: RpcBandInput): BandPiece[] {
  const starts: Start[] = [];
  const configs = new ConfigTexts(input);
  let channel: Channel | undefined;
  let past: PastVerdict | undefined;
  for (const change of [...input.channels, ...input.verdicts].sort((a, b) => a.at - b.at)) {
    const { at } = change;
    if ('verdict' in change) past = change;
    else {
      channel = change.channel;
      configs.show(channel, at);
    }
    const { verdict, cause } = detailed(past, at, input);
    const { word, tail } = verdictHead({ target: input.target, verdict, cause });
    const outcome = verdict === 'ok' && configs.text !== '' ? '' : `${word}${tail}`;
    const text = [configs.text, outcome].filter((part) => part !== '').join(' · ');
    // Of several changes at the same time, only the last one can be seen.
    if (starts.at(-1)?.from === at) starts.pop();
    const config = configs.text;
    starts.push({ from: at, verdict, text: channel && text, config, isHeldBack: channel?.isWithheld === true });
  }
  return joined(starts, input.end);
}

function detailed(
  past: PastVerdict | undefined,
  at: number,
  input: RpcBandInput,
): Pick<PastVerdict, 'verdict' | 'cause'> {
  const known = past ?? { verdict: 'waiting' as const, cause: null };
  const exact = known.verdict === 'ok' || known.verdict === 'waiting' ? undefined : input.verdictAt(at);
  // A tear is drawn separately.
  return exact === undefined || exact.cause?.code === 'config-tear' ? known : exact;
}

/** Numbers the configurations of a target: `configuration 3 · routes 9`. */
class ConfigTexts {
  text = '';
  readonly #input: RpcBandInput;
  #shown = '';
  #at = Number.NaN;
  #count = 0;

  constructor(input: RpcBandInput) {
    this.#input = input;
  }

  show(channel: Channel | undefined, at: number): void {
    if (channel === undefined) return;
    const { kind } = channel.state;
    const key = `${kind} ${channel.since}`;
    const isNew = key !== this.#shown;
    // A configuration can replace another one in the same millisecond: then only the last one can be seen.
    if (!isNew && at !== this.#at) return;
    [this.#shown, this.#at] = [key, at];
    const isConfig = kind === 'published' || kind === 'served';
    if (isConfig && isNew) this.#count++;
    this.text = isConfig ? this.#textOf(channel, at) : '';
  }

  #textOf(channel: Channel, at: number): string {
    const routes = this.#input.routesVersion(channel, at);
    const name = this.#input.isNumbered ? `configuration ${this.#count}` : 'configuration';
    return routes === undefined ? name : `${name} · routes ${routes}`;
  }
}

/** A piece lasts until the next one. Equal neighbours become one piece. */
function joined(starts: readonly Start[], end: number): BandPiece[] {
  const pieces: BandPiece[] = [];
  let said = '';
  for (const [i, { text, config, ...start }] of starts.entries()) {
    const to = starts[i + 1]?.from ?? Math.max(end, start.from);
    const last = pieces.at(-1);
    if (text === undefined) continue;
    if (last?.to === start.from && last.text === text && last.isHeldBack === start.isHeldBack) {
      last.to = to;
      continue;
    }
    const outcome = text.slice(config.length);
    pieces.push({ ...start, text, label: config !== '' && outcome === said ? config : text, to });
    said = outcome;
  }
  return pieces;
}

/** A stretch of time in which two runs are equal, or what the second one does instead. */
export interface BandDifference {
  from: number;
  to: number;
  /** Undefined where both are equal. */
  changed: Pick<BandPiece, 'verdict' | 'text'> | undefined;
}

/** What RPCs get at a time, in parts such as `OK on 3 routes`; undefined if it was not computed. */
export type OutcomeAt = (at: number) => readonly string[] | undefined;

/** Compares what RPCs got in two runs. Only the outcome counts, not the number of a configuration. */
export function bandDifferences(
  recorded: { band: readonly BandPiece[]; outcomeAt: OutcomeAt },
  changed: { band: readonly BandPiece[]; outcomeAt: OutcomeAt },
): BandDifference[] {
  const cuts = [...recorded.band, ...changed.band].flatMap(({ from, to }) => [from, to]);
  const times = [...new Set(cuts)].sort((a, b) => a - b);
  const result: BandDifference[] = [];
  for (const [i, from] of times.slice(0, -1).entries()) {
    const to = times[i + 1] as number;
    const [before, after] = [recorded, changed].map(({ band, outcomeAt }) => outcomeIn(band, outcomeAt, from));
    if (before === undefined && after === undefined) continue;
    const difference = differenceOf(before, after);
    const last = result.at(-1);
    if (last?.to === from && last.changed?.text === difference?.text) last.to = to;
    else result.push({ from, to, changed: difference });
  }
  return result;
}

interface Outcome {
  verdict: VerdictWord;
  parts: readonly string[];
}

function outcomeIn(band: readonly BandPiece[], outcomeAt: OutcomeAt, at: number): Outcome | undefined {
  const piece = band.find(({ from, to }) => from <= at && at < to);
  return piece && { verdict: piece.verdict, parts: outcomeAt(at) ?? [outcomeText(piece)] };
}

/** What the second run has and the first one has not; undefined if they are equal. */
function differenceOf(before: Outcome | undefined, after: Outcome | undefined): BandDifference['changed'] {
  if (before?.verdict === after?.verdict && before?.parts.join() === after?.parts.join()) return undefined;
  if (after === undefined) return { verdict: 'waiting', text: '' };
  const known = new Set(before?.parts);
  const news = after.parts.filter((part) => !known.has(part));
  // Failures come first: the band may have room for one part.
  const worstFirst = (news.length === 0 ? [...after.parts] : news).sort((a, b) => Number(isOk(a)) - Number(isOk(b)));
  return { verdict: after.verdict, text: worstFirst.join(' · ') };
}

function isOk(part: string): boolean {
  return part.startsWith('OK');
}

/** Without the number of the configuration, which may differ although RPCs get the same. */
function outcomeText({ text }: BandPiece): string {
  return text.replace(/^configuration(?: \d+)?(?: · )?/, '');
}

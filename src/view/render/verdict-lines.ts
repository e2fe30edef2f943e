import type { VerdictWord } from '../../inspect/verdict/verdict.js';
import type { ChannelStatus } from '../status.js';
import { type ShownVerdict, verdictHead } from '../verdict-text.js';
import { visible, visibleMessage } from '../visible-text.js';
import type { StateCounts } from '../worst-first.js';
import type { Paint } from './paint.js';

const COLORS: Record<VerdictWord, keyof Paint> = {
  ok: 'good',
  partly: 'warning',
  fails: 'error',
  waiting: 'warning',
  unknown: 'warning',
};

/** Line 1 of every view: `xds:///inventory  FAILS  no listener "inventory"; …`. */
export function verdictLine(name: string, facts: ShownVerdict, paint: Paint, counts?: StateCounts): string {
  const { word, tail } = verdictHead(facts, counts);
  return `${name}  ${paint[COLORS[facts.verdict]](word)}${tail}`;
}

const COMPARE = ' Compare with a running one: xds-inspect csds HOST:PORT';

type ShownChannel = Omit<ChannelStatus, 'listeners' | 'dataPlaneAuthority' | 'error' | 'since'> & {
  /** Of another process, which runs. */
  address?: string | undefined;
};

/** A target with what RPCs get, below its verdict. */
export function channelLines(name: string, channel: ShownChannel, paint: Paint, counts?: StateCounts): string[] {
  const { rpcs, advice, clients, config, pending, address } = channel;
  return [
    verdictLine(name, channel, paint, counts),
    `  RPCs: ${visibleMessage(rpcs)}`,
    ...(advice === null ? [] : [`  ${paint.dim('→')} ${visibleMessage(advice)}`]),
    ...(clients === null ? [] : [`  ${visibleMessage(clients)}${address === undefined ? COMPARE : ''}`]),
    ...(pending && config === 'published'
      ? ['  A newer configuration has arrived in part: gRPC keeps the previous one until the rest is there']
      : []),
  ];
}

/** `127.0.0.1:50051 / xds:///greeter`: another process's client begins with its address. */
export function targetName(target: string, address: string | undefined): string {
  return address === undefined ? visible(target) : `${visible(address)} / ${visible(target)}`;
}

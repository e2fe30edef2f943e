import type { VerdictWord } from '../../inspect/verdict/verdict.js';
import type { ChannelStatus } from '../status.js';
import { type ShownVerdict, verdictHead } from '../verdict-text.js';
import { visible, visibleMessage } from '../visible-text.js';
import type { StateCounts } from '../worst-first.js';
import type { Paint } from './paint.js';

export const VERDICT_COLORS: Record<VerdictWord, keyof Paint> = {
  ok: 'good',
  partly: 'warning',
  fails: 'error',
  waiting: 'warning',
  unknown: 'warning',
};

/** Line 1 of every view: `xds:///inventory  FAILS  no listener "inventory"; …`. */
export function verdictLine(name: string, facts: ShownVerdict, paint: Paint, counts?: StateCounts): string {
  const { word, tail } = verdictHead(facts, counts);
  return `${name}  ${paint[VERDICT_COLORS[facts.verdict]](word)}${tail}`;
}

const COMPARE = ' Compare with a running one: xds-inspect csds HOST:PORT';

type ShownChannel = Omit<ChannelStatus, 'listeners' | 'dataPlaneAuthority' | 'error' | 'since'> & {
  /** The address of another process, which is a running client. */
  address?: string | undefined;
};

/** The verdict of a target, with the outcome of RPCs and advice below it. */
export function channelLines(name: string, channel: ShownChannel, paint: Paint, counts?: StateCounts): string[] {
  const { rpcs, advice, clients, config, pending, address } = channel;
  return [
    verdictLine(name, channel, paint, counts),
    `  RPCs: ${visibleMessage(rpcs)}`,
    ...(advice === null ? [] : [`  ${paint.dim('→')} ${visibleMessage(advice)}`]),
    ...(clients === null ? [] : [`  ${visibleMessage(clients)}${address === undefined ? COMPARE : ''}`]),
    ...(pending && config === 'published'
      ? ['  A newer configuration is incomplete: gRPC uses the previous one until the rest arrives']
      : []),
  ];
}

/** `127.0.0.1:50051 / xds:///greeter`: a client in another process starts with its address. */
export function targetName(target: string, address: string | undefined): string {
  return address === undefined ? visible(target) : `${visible(address)} / ${visible(target)}`;
}

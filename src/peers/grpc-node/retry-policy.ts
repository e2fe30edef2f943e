import { ProblemList } from './problem-list.js';
import type { ProtobufJsMessage } from './protobufjs-message.js';

/** Validates a retry policy as grpc-js-xds does. */
export function retryProblems(policy: ProtobufJsMessage | undefined): ProblemList {
  const problems = new ProblemList();
  if (policy === undefined) return problems;
  const retries = policy.message('num_retries')?.number('value') ?? 1;
  if (retries < 1) problems.add(`Invalid policy.num_retries.value: ${retries}`, 'num_retries');
  const backOff = policy.message('retry_back_off');
  if (backOff === undefined) return problems;
  const base = backOff.message('base_interval');
  if (base === undefined) {
    problems.add('retry_back_off.base_interval unset', 'retry_back_off');
    return problems;
  }
  const max = backOff.message('max_interval');
  const baseMs = millisecondsOf(base);
  const maxMs = max === undefined ? 10 * baseMs : millisecondsOf(max);
  if (baseMs <= 0)
    problems.add(`Invalid retry_back_off.base_interval: ${durationText(base)}`, 'retry_back_off', 'base_interval');
  if (maxMs < baseMs) {
    const maxText = max === undefined ? 'null' : durationText(max);
    const text = `retry_back_off.max_interval < retry_back_off.base_interval: ${maxText} vs ${durationText(base)}`;
    problems.add(text, 'retry_back_off', 'max_interval');
  }
  return problems;
}

/** Truncated to 32 bits, so that a long interval can become negative. */
function millisecondsOf(duration: ProtobufJsMessage): number {
  return (Number(duration.long('seconds')) * 1000 + duration.number('nanos') / 1_000_000) | 0;
}

function durationText(duration: ProtobufJsMessage): string {
  return JSON.stringify({ seconds: duration.long('seconds'), nanos: duration.number('nanos') });
}

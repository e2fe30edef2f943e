import { UsageError } from '../../base/failure.js';
import { readDeadline, readMetadata, readMethod, type Typed } from '../../inspect/explain/read-call.js';
import { choice, list, type Option, value } from '../option.js';

const headers = list('Metadata of the RPC as name:value; may be repeated');

/** The RPC to explain. */
export const callOptions = {
  method: value('Method of the RPC: /package.Service/Method', 'TEXT', {}, (typed, name) =>
    orUsageError(readMethod(typed), name),
  ),
  header: {
    ...headers,
    read: (typed, name) => headers.read(typed, name).map((one) => orUsageError(readMetadata(one), name)),
  } satisfies Option<[string, string][]>,
  deadline: value('Deadline that the application sets', 'TIME', {}, (typed, name) =>
    orUsageError(readDeadline(typed), name),
  ),
  'timeout-rules': choice(
    'Timeouts that apply: today (max_stream_duration), or a31 (as gRFC A31 proposes)',
    ['today', 'a31'],
    { default: 'today' },
  ),
};

function orUsageError<T>(typed: Typed<T>, name: string): T {
  if (!typed.ok) throw new UsageError(`--${name} ${typed.problem}`);
  return typed.value;
}

/** Rejects a duration of 0. */
export function positive<T extends number | undefined>(option: Option<T>, problem: string): Option<T> {
  return {
    ...option,
    read: (typed, name) => {
      const millis = option.read(typed, name);
      if (millis === 0) throw new UsageError(problem);
      return millis;
    },
  };
}

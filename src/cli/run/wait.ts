import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import { waitOnClock } from '../../inspect/until.js';
import type { WaitCondition } from '../../inspect/wait/condition.js';
import { readConditions } from '../../inspect/wait/read-condition.js';
import { waitFor } from '../../inspect/wait/wait-for.js';
import { Wildcards } from '../../inspect/wait/wildcards.js';
import type { CliEnvironment } from '../../io/environment.js';
import { livePorts } from '../../io/live-client.js';
import type { ShortType } from '../../proto/resource-types.js';
import { unreachableSentences } from '../../view/unreachable.js';
import { waitDocument, waitOutcome } from '../../view/wait.js';
import type { WaitInput } from '../commands/wait.js';
import { Printer } from '../printer.js';
import { checkTargets, clientFor, connectAs, livePage } from './connect.js';
import { show, type ViewOf } from './show.js';

type WaitViewInput = Pick<WaitInput, 'output' | 'until'> & { timeout?: number | undefined };

/** `wait`: ends when all conditions hold at the same time. It retries unreachable servers until the timeout. */
export async function wait(input: WaitInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const conditions = conditionsOf(input);
  checkWildcards(input, conditions);
  checkTargets(input.targets);
  const client = await clientFor(input, out);
  const page = await livePage(input, out);
  const followed = await connectAs(client, input, out, page);
  const ports = await livePorts(client, env);
  const wildcards = new Wildcards({ kind: 'live', client, ports, inputs: [] }, input.wildcard ?? []);
  const inspection = input.wildcard === undefined ? followed : withWildcards(followed, wildcards, env);
  return await show(inspection, conditionsView(input, conditions, out, wildcards), input, out, page);
}

/** The conditions of a recorded session. */
export function waitView(input: WaitViewInput, out: Printer): ViewOf {
  return conditionsView(input, conditionsOf(input), out);
}

function conditionsOf({ until }: Pick<WaitInput, 'until'>): WaitCondition[] {
  const read = readConditions(until);
  if (!read.ok) throw new UsageError(read.problems.map((problem) => `--until ${problem}`).join('\n'));
  return read.conditions;
}

function checkWildcards({ targets, wildcard, record }: WaitInput, conditions: readonly WaitCondition[]): void {
  if (wildcard !== undefined && record !== undefined)
    throw new UsageError('--record excludes --wildcard: get TYPE --record records a wildcard subscription');
  if (targets.length > 0) return;
  if (wildcard === undefined)
    throw new UsageError(
      "missing target; without one, use --wildcard TYPE, as in --wildcard CDS --until 'CDS.count>=100'",
    );
  const isCounted = (type: ShortType): boolean => wildcard.includes(type);
  const others = conditions.filter((condition) => condition.kind !== 'count' || !isCounted(condition.type));
  if (others.length > 0) {
    const texts = others.map(({ text }) => `--until "${text}"`).join(', ');
    throw new UsageError(`${texts} requires a target; without one, use ${wildcard[0]}.count>=1`);
  }
}

/** An inspection that also waits for wildcard subscriptions. */
function withWildcards(
  inspection: ClientInspection,
  wildcards: Wildcards,
  { clock }: CliEnvironment,
): ClientInspection {
  return {
    ...inspection,
    until: async (condition, options) => {
      inspection.start();
      await wildcards.start();
      const onChange = (changed: () => void): (() => void) => {
        const stops = [inspection.events.subscribe(changed), wildcards.subscribe(changed)];
        return () => {
          for (const stop of stops) stop();
        };
      };
      return await waitOnClock(clock, onChange, condition, options);
    },
    close: () => {
      wildcards.close();
      inspection.close();
    },
  };
}

function conditionsView(
  { output, timeout }: WaitViewInput,
  conditions: readonly WaitCondition[],
  out: Printer,
  wildcards?: Wildcards,
): ViewOf {
  return (inspection) => {
    const waiting = waitFor(inspection, conditions, wildcards);
    return {
      condition: waiting.condition,
      limit: timeout ?? defaultTimeLimit(inspection),
      onEvent: waiting.observe,
      progress: (line) => line.showText(waiting.text()),
      print: async (result) => {
        const document = waitDocument(result, waiting.look(result.now));
        // Without a target, the conditions are the data.
        const hasData = result.hasData || result.targets.length === 0;
        await out.print('wait', output, document, { ...result, hasData });
        const isMet = document.outcome === 'met';
        return { ...waitOutcome(document), sentences: isMet ? [] : unreachableSentences(result, output) };
      },
    };
  };
}

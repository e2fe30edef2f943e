import { VerdictChanges } from '../../inspect/verdict-changes.js';
import { TimelineBuilder } from '../../view/timeline/timeline.js';
import type { Printer } from '../printer.js';
import { type ViewOf, waitUntilSettled } from './show.js';

/** `replay -o trace`: prints the session as a timeline for trace viewers. */
export function traceView(out: Printer): ViewOf {
  return (inspection) => {
    const start = inspection.startedAt();
    const timeline = new TimelineBuilder(start);
    const verdicts = new VerdictChanges(() => inspection.verdict(), start);
    const { condition, ...wait } = waitUntilSettled(inspection, undefined);
    return {
      ...wait,
      condition: (now) => {
        verdicts.update(now);
        return condition(now);
      },
      onEvent: (event, isRepeated) => {
        // A finding counts the repetitions of a storm.
        if (!isRepeated) timeline.observe(event);
        verdicts.observe(event);
      },
      print: async ({ now }) => {
        verdicts.finish();
        await out.print('timeline', 'trace', timeline.finish(now, verdicts.changes), { now });
        return {};
      },
    };
  };
}

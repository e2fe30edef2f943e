import { TimelineBuilder } from '../../view/timeline/timeline.js';
import type { Printer } from '../printer.js';
import { sessionVerdicts } from './session-verdicts.js';
import type { ViewOf } from './show.js';

/** `replay -o trace`: prints the session as a timeline for trace viewers. */
export function traceView(out: Printer): ViewOf {
  return (inspection) => {
    const timeline = new TimelineBuilder(inspection.startedAt());
    const { verdicts, wait } = sessionVerdicts(inspection);
    return {
      ...wait,
      onEvent: (event) => {
        timeline.observe(event);
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

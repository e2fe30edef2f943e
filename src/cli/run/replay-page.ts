import { basename } from 'node:path';
import { UsageError } from '../../base/failure.js';
import type { WhatIfChanges } from '../../engine/recording/engine-setup.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import type { PageState, PageWhatIf } from '../../view/page-data.js';
import type { ReplayInput } from '../commands/replay.js';
import type { Printer } from '../printer.js';
import { type RequestedPage, requestedPage } from './page.js';

/** The report page of a recording, if it is requested. It starts at `until`, and with the what-if changes switched on. */
export async function replayPage(
  input: ReplayInput,
  header: RecordingHeader,
  { until, changes }: { until: number | undefined; changes: WhatIfChanges | undefined },
  out: Printer,
): Promise<RequestedPage | undefined> {
  const initial: PageState = {
    ...(until !== undefined && { at: until - header.start }),
    ...(changes !== undefined && { side: 'whatif', whatIf: whatIfState(changes) }),
  };
  const page = await requestedPage(input, basename(input.file), out, initial);
  if (page === undefined) return undefined;
  if (header.fetch !== undefined) {
    throw new UsageError('this recording was made by get and has no targets: a report page cannot show it');
  }
  page.add(input.file, header);
  return page;
}

function whatIfState({ as, features, resourceTimerMs, tearGraceMs }: WhatIfChanges): PageWhatIf {
  return {
    ...(as !== undefined && { as }),
    ...(features !== undefined && { features: Object.fromEntries(features) }),
    ...(resourceTimerMs !== undefined && { resourceTimerMs }),
    ...(tearGraceMs !== undefined && { tearGraceMs }),
  };
}

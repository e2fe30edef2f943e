import { timeOfDay } from '../../base/clock-time.js';
import { countText, thousands } from '../../base/count-text.js';
import type { Page } from '../formats.js';
import type { ErrorView, ReportScope } from '../report.js';
import { visibleMessage, visibleName, visibleShort } from '../visible-text.js';
import { nackText } from './status-rows.js';

const MAX_ERRORS = 10;

/** Errors as they propagated, the newest last, without those that line 1 and the table already show. */
export function errorLines(scope: ReportScope, dropped: number, page: Pick<Page, 'paint' | 'showsTimes'>): string[] {
  const shown = scope.errors.filter((error) => !isShownAsCause(error, scope));
  const more = Math.max(0, shown.length - MAX_ERRORS) + dropped;
  return [
    ...(more > 0 ? [`  … ${countText(more, 'earlier error')}`] : []),
    ...shown.slice(-MAX_ERRORS).map((error) => errorLine(error, page)),
  ];
}

/** The cause of a verdict already shows this error, and there is no cached version to mention. */
function isShownAsCause({ effect, type, names, resources, count }: ErrorView, { channels }: ReportScope): boolean {
  return (
    effect === 'none-cached' &&
    resources === 1 &&
    count === 1 &&
    channels.some(({ cause }) => cause?.resource?.type === type && cause.resource.name === names[0])
  );
}

/** `12:00:04.120  CDS blue  NACK version 6 from 10.0.0.7:18000: … → kept version 5` */
function errorLine(error: ErrorView, { paint, showsTimes }: Pick<Page, 'paint' | 'showsTimes'>): string {
  const { at, type, names, resources, server, count } = error;
  const [first = ''] = names;
  const who = resources === 1 ? `${type} ${visibleName(first)}` : countText(resources, 'resource');
  const repeated = count > resources ? ` (${thousands(count)} times)` : '';
  const from = server === '' ? '' : ` from ${visibleShort(server)}`;
  const time = showsTimes ? at : timeOfDay(at);
  return `  ${paint.dim(time)}  ${who}  ${errorKind(error)}${from}${repeated}: ${errorReason(error)} → ${effectText(error)}`;
}

function errorKind({ cause, code, version }: ErrorView): string {
  const of = version === null ? '' : ` version ${visibleShort(version)}`;
  switch (cause) {
    case 'nack':
      return `NACK${of}`;
    case 'server-error':
      return `${code}${of}`;
    case 'timer':
      return 'resource timer expired';
    case 'deletion':
      return `deleted${of}`;
    case 'channel':
    case 'stream':
      return `${cause} error`;
    default:
      return code;
  }
}

function errorReason({ cause, message }: ErrorView): string {
  return cause === 'deletion' ? 'the response omits it' : visibleMessage(nackText(message));
}

/** The effect on the cached version, and the number of notified watchers. */
function effectText({ effect, keptVersion, watchers }: ErrorView): string {
  const notified = watchers === 0 ? '' : `, ${countText(watchers, 'watcher')} notified`;
  switch (effect) {
    case 'kept':
      return `kept${keptVersion === null ? ' the cached version' : ` version ${visibleShort(keptVersion)}`}${notified}`;
    case 'dropped':
      return `dropped the cached version${notified}`;
    default:
      return `nothing was cached${notified}`;
  }
}

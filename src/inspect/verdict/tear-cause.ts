import type { ChannelSnapshot } from '../../engine/follower.js';
import { adviceOn } from '../tears/advice.js';
import { tearSummary } from '../tears/tear-summary.js';
import type { Cause } from './verdict.js';

/** `4 config tears, all resolved: routes arrive about 400 ms before the cluster that they name (CDS red)` */
export function tearCause({ tears }: ChannelSnapshot): Cause | undefined {
  const shown = tears.find(({ end }) => end === undefined) ?? tears.at(-1);
  const message = tearSummary(tears);
  if (shown === undefined || message === undefined) return undefined;
  const [resource] = shown.resources;
  return {
    code: 'config-tear',
    message,
    resource: resource === undefined ? null : { type: resource.type, name: resource.name },
    server: resource?.server ?? null,
    advice: adviceOn(shown),
  };
}

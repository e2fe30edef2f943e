import { text } from '../option.js';

/** Options of commands whose session can be a support bundle. */
export const bundleOption = {
  bundle: text('Also write a support bundle to this file (.tgz): report, page, recording, versions, without secrets', {
    completes: 'file',
  }),
};

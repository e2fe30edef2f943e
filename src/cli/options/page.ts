import { text } from '../option.js';

/** Options of commands whose session can be a report page. */
export const pageOption = {
  html: text('Also write a report page for a browser to this file (HTML)', { completes: 'file' }),
};

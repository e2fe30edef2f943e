import { flag, optionalPort } from '../option.js';

/** Options of commands that serve a live page. */
export const uiOptions = {
  ui: optionalPort('Show the session in a browser, on this loopback port (default: a free one)'),
  open: flag('Open the page in a browser; requires --ui'),
};

import { formatsOf } from '../../view/formats.js';

/** By view; the first format of each is its default. */
export const CSDS_FORMATS = {
  status: formatsOf('status', 'events', 'client-status'),
  config: formatsOf('config', 'service-config'),
  explain: formatsOf('explain'),
  check: formatsOf('check'),
};

import { formatsOf } from '../../view/formats.js';

/** The formats of each view. The first is the default. */
export const CSDS_FORMATS = {
  status: formatsOf('status', 'events', 'client-status'),
  config: formatsOf('config', 'service-config'),
  explain: formatsOf('explain'),
  check: formatsOf('check'),
};

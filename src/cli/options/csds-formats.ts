import { formatsOf } from '../../view/formats.js';

/** The formats of each view. The first is the default. */
export const CSDS_FORMATS = {
  status: formatsOf('status', 'events', 'client-status', 'page'),
  fleet: formatsOf('fleet', 'fleet-changes'),
  config: formatsOf('config', 'service-config', 'page'),
  explain: formatsOf('explain', 'page'),
  check: formatsOf('check', 'sarif', 'page'),
};

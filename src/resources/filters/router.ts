import { Router } from '../../proto/generated/envoy.extensions.filters.http.router.v3.js';
import { decodeConfig, type HttpFilter } from './http-filter.js';

export const ROUTER: HttpFilter = {
  type: Router.typeName,
  onClients: true,
  onServers: true,
  isTerminal: true,
  read: (extension, validation) =>
    decodeConfig(Router, extension, 'could not parse router filter config', validation) && { kind: 'router' },
};

import { GcpAuthnFilterConfig } from '../../proto/generated/envoy.extensions.filters.http.gcp_authn.v3.js';
import type { Extension } from '../common/extension.js';
import type { Validation } from '../validation.js';
import { decodeConfig, type FilterConfig, type HttpFilter } from './http-filter.js';

const DEFAULT_CACHE_SIZE = 10n;

function readGcpAuthn(extension: Extension, validation: Validation): FilterConfig | undefined {
  const message = decodeConfig(GcpAuthnFilterConfig, extension, 'could not parse GCP auth filter config', validation);
  if (message === undefined) return undefined;
  const cacheSize = message.cacheConfig?.cacheSize ?? DEFAULT_CACHE_SIZE;
  if (cacheSize === 0n) {
    validation.segment('.cache_config.cache_size', ['cache_config', 'cache_size'], () =>
      validation.addError('must be greater than 0'),
    );
  }
  return { kind: 'gcp_authn', cacheSize };
}

/** The filter that adds Google identity tokens to RPCs (A83). */
export const GCP_AUTHN: HttpFilter = {
  type: GcpAuthnFilterConfig.typeName,
  onClients: true,
  onServers: false,
  read: readGcpAuthn,
};

import type { MessageView } from '../message-view.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { reject } from './rejection.js';
import type { SecurityConfig } from './tls.js';

/** Checks that the bootstrap has the certificate providers. Without a bootstrap, this cannot be checked. */
export function requireCertificateProviders(
  security: SecurityConfig | undefined,
  part: MessageView,
  { certificateProviders }: GoContext,
): void {
  if (security === undefined || certificateProviders === undefined) return;
  for (const [kind, name] of [
    ['identity', security.identity],
    ['root', security.root],
  ] as const) {
    if (name === '' || certificateProviders.has(name)) continue;
    const what = `${kind} certificate provider instance name ${quoted(name)}`;
    reject(part, `${what} missing in bootstrap configuration`);
  }
}

import { canonicalName } from '../base/xds-name.js';
import type { Policies } from '../bootstrap/policies.js';
import { typeNameOf } from '../proto/json/type-name.js';
import type { ClientContext } from '../resources/context.js';

/** R6.5: the canonical spelling of a resource name; undefined if it cannot be parsed. */
export function canonicalResourceName(
  typeUrl: string,
  spelling: string,
  { switches }: Pick<ClientContext, 'switches'>,
  { emptyAuthority }: Pick<Policies, 'emptyAuthority'>,
): string | undefined {
  if (!spelling.startsWith('xdstp:')) return spelling;
  return canonicalName(spelling, typeNameOf(typeUrl), switches.federation, emptyAuthority);
}

import type { XdsResource } from '../../resources/resource.js';
import type { ValidationResult } from '../../resources/validation-result.js';
import type { MessageView } from '../message-view.js';

/** Returns the result for a resource that grpc-go accepts, from C-core's representation. */
export function modelOf(
  name: string,
  cCore: ValidationResult<XdsResource>,
  _message: MessageView,
): ValidationResult<XdsResource> | undefined {
  const resource = cCore.ok ? cCore.resource : cCore.despiteProblems;
  if (resource === undefined) return undefined;
  const remarks = cCore.remarks.filter(({ kind }) => kind === 'unchecked');
  return { ok: true, name, resource, ignored: cCore.ignored, remarks };
}

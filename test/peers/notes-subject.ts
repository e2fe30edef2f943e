import type { Subject } from '../../src/peers/subject.js';
import { Resource } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { printAny } from '../../src/proto/json/print.js';
import { typeNameOf } from '../../src/proto/json/type-name.js';
import { decode } from '../../src/proto/message-type.js';
import { contextOf, type RecordedCase, responseOf, validateRecorded } from '../../tools/oracle/recorded-case.js';

/**
 * Returns the only resource of a recorded response; `undefined` if the case is about the response itself: several
 * resources, resource errors or types.
 */
export function subjectOf(recordedCase: RecordedCase): Subject | undefined {
  const response = responseOf(recordedCase);
  const [sent, ...others] = response.resources;
  if (sent === undefined || others.length > 0 || response.resourceErrors.length > 0) return undefined;
  const wrapper = typeNameOf(sent.typeUrl) === Resource.typeName ? decode(Resource, sent.value) : undefined;
  const any = wrapper?.ok ? wrapper.value.resource : sent;
  const typeName = typeNameOf(response.typeUrl);
  if (any === undefined || typeNameOf(any.typeUrl) !== typeName) return undefined;
  const result = validateRecorded(recordedCase).resources[0]?.result;
  return {
    typeName,
    json: result === undefined ? undefined : printAny(xdsCatalogue, any.typeUrl, any.value),
    bytes: any.value,
    result,
    context: contextOf(recordedCase),
    envelope: { typeUrls: any === sent ? [sent.typeUrl] : [sent.typeUrl, any.typeUrl] },
  };
}

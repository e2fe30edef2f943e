import { unpackAny } from './decode-message.js';
import { parseIp } from './ip-literal.js';
import { illegalArgument, invalid, JavaError, within } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';

const ADDRESS = 'envoy.config.core.v3.Address';
const AUDIENCE = 'envoy.extensions.filters.http.gcp_authn.v3.Audience';

/** Checks the metadata of a cluster, a locality or an endpoint. `failure` begins the error text. */
export function checkMetadata(metadata: ProtoMessage, failure: string): void {
  const typed = metadata.map('typed_filter_metadata');
  for (const [key, any] of typed) {
    const url = any.string('type_url');
    within(['metadata', 'typed_filter_metadata', key], () => {
      try {
        checkTyped(any, url);
      } catch (error) {
        if (!(error instanceof JavaError) || error.javaClass !== 'invalid') throw error;
        const inner = `Failed to parse metadata key: ${key}, type: ${url}. Error: ${error.detail}: ${error.detail}`;
        invalid(`${failure}: ${inner}: ${inner}`);
      }
    });
  }
  for (const [key, struct] of metadata.map('filter_metadata'))
    if (!isParsed(typed.get(key))) within(['metadata', 'filter_metadata', key], () => checkStruct(struct));
}

function isParsed(any: ProtoMessage | undefined): boolean {
  const url = any?.string('type_url');
  return url === `type.googleapis.com/${ADDRESS}` || url === `type.googleapis.com/${AUDIENCE}`;
}

function checkTyped(any: ProtoMessage, url: string): void {
  if (url === `type.googleapis.com/${ADDRESS}`) checkAddress(unpackMetadata(any, ADDRESS));
  else if (url === `type.googleapis.com/${AUDIENCE}` && unpackMetadata(any, AUDIENCE).string('url') === '')
    invalid('Audience URL is empty. Metadata value must contain a valid URL.');
}

function unpackMetadata(any: ProtoMessage, typeName: string): ProtoMessage {
  try {
    return unpackAny(any, typeName);
  } catch (error) {
    if (!(error instanceof JavaError)) throw error;
    return invalid(`Invalid Resource in address proto: ${error.detail}`);
  }
}

function checkAddress(address: ProtoMessage): void {
  const socketAddress = address.message('socket_address');
  const fail = (reason: string): never => invalid(`Failed to parse envoy.config.core.v3.Address: ${reason}`);
  const ip = socketAddress.string('address');
  const port = socketAddress.int('port_value') >>> 0;
  if (ip === '') fail('Address field is empty or invalid.');
  if (port > 65_535) fail(`Port value ${port} out of range 1-65535.`);
  if (parseIp(ip) === undefined) fail(`Invalid IP address or port: ${ip}:${port}`);
}

function checkStruct(struct: ProtoMessage): void {
  for (const value of struct.map('fields').values()) checkValue(value);
}

function checkValue(value: ProtoMessage): void {
  switch (value.memberOf('null_value')) {
    case undefined:
      illegalArgument('Unknown Value type: KIND_NOT_SET');
      break;
    case 'struct_value':
      checkStruct(value.message('struct_value'));
      break;
    case 'list_value':
      for (const one of value.message('list_value').messages('values')) checkValue(one);
  }
}

import type { ProtobufJsMessage } from './protobufjs-message.js';

/** Whether grpc-js-xds accepts an HTTPFault. Each part needs a percentage and one of its kinds. */
export function isValidFault(fault: ProtobufJsMessage | undefined): boolean {
  return (
    fault !== undefined &&
    isValidPart(fault.message('delay'), 'fixed_delay') &&
    isValidPart(fault.message('abort'), 'http_status')
  );
}

function isValidPart(part: ProtobufJsMessage | undefined, kind: string): boolean {
  return part === undefined || (part.has('percentage') && part.chosen(kind) !== undefined);
}

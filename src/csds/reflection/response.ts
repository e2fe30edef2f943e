import { statusCode } from '../../base/status.js';
import { ServerReflectionRequest, ServerReflectionResponse } from '../../proto/generated/grpc.reflection.v1.js';
import { decode, encode } from '../../proto/message-type.js';
import { DescriptorFiles, SERVICE_NAMES } from './descriptor-files.js';

let files: DescriptorFiles | undefined;

/** Responds to a server reflection request, v1 or v1alpha: they differ only in the name of the service. */
export function respondToReflection(bytes: Uint8Array): Uint8Array {
  const decoded = decode(ServerReflectionRequest, bytes);
  const request = decoded.ok ? decoded.value : ServerReflectionRequest.create();
  const messageResponse = respondTo(request.messageRequest);
  return encode(
    ServerReflectionResponse,
    ServerReflectionResponse.create({ validHost: request.host, originalRequest: request, messageResponse }),
  );
}

type ReflectionRequest = ServerReflectionRequest['messageRequest'];
type ReflectionResponse = ServerReflectionResponse['messageResponse'];

function respondTo(request: ReflectionRequest): ReflectionResponse {
  files ??= new DescriptorFiles();
  switch (request?.kind) {
    case 'listServices':
      return { kind: 'listServicesResponse', value: { service: SERVICE_NAMES.map((name) => ({ name })) } };
    case 'fileContainingSymbol':
      return filesResponse(files.containing(request.value), `no type or service "${request.value}"`);
    case 'fileByFilename':
      return filesResponse(files.named(request.value), `no file "${request.value}"`);
    case 'fileContainingExtension':
    case 'allExtensionNumbersOfType':
      return errorResponse('NOT_FOUND', 'there are no extensions');
    default:
      return errorResponse('INVALID_ARGUMENT', 'not a server reflection request');
  }
}

function filesResponse(
  fileDescriptorProto: readonly Uint8Array[] | undefined,
  errorMessage: string,
): ReflectionResponse {
  if (fileDescriptorProto === undefined) return errorResponse('NOT_FOUND', errorMessage);
  return { kind: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function errorResponse(code: 'NOT_FOUND' | 'INVALID_ARGUMENT', errorMessage: string): ReflectionResponse {
  return { kind: 'errorResponse', value: { errorCode: statusCode(code), errorMessage } };
}

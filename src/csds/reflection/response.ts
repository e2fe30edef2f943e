import { statusCode } from '../../base/status.js';
import { ServerReflectionRequest, ServerReflectionResponse } from '../../proto/generated/grpc.reflection.v1.js';
import { decode, encode } from '../../proto/message-type.js';
import { DescriptorFiles, SERVICE_NAMES } from './descriptor-files.js';

let files: DescriptorFiles | undefined;

/** Answers a question of server reflection, v1 or v1alpha: they differ only in what the service is called. */
export function respondToReflection(bytes: Uint8Array): Uint8Array {
  const decoded = decode(ServerReflectionRequest, bytes);
  const request = decoded.ok ? decoded.value : ServerReflectionRequest.create();
  const messageResponse = answerTo(request.messageRequest);
  return encode(
    ServerReflectionResponse,
    ServerReflectionResponse.create({ validHost: request.host, originalRequest: request, messageResponse }),
  );
}

type Question = ServerReflectionRequest['messageRequest'];
type Answer = ServerReflectionResponse['messageResponse'];

function answerTo(question: Question): Answer {
  files ??= new DescriptorFiles();
  switch (question?.kind) {
    case 'listServices':
      return { kind: 'listServicesResponse', value: { service: SERVICE_NAMES.map((name) => ({ name })) } };
    case 'fileContainingSymbol':
      return found(files.containing(question.value), `no type or service "${question.value}"`);
    case 'fileByFilename':
      return found(files.named(question.value), `no file "${question.value}"`);
    case 'fileContainingExtension':
    case 'allExtensionNumbersOfType':
      return problem('NOT_FOUND', 'there are no extensions');
    default:
      return problem('INVALID_ARGUMENT', 'not a question of server reflection');
  }
}

function found(fileDescriptorProto: readonly Uint8Array[] | undefined, otherwise: string): Answer {
  if (fileDescriptorProto === undefined) return problem('NOT_FOUND', otherwise);
  return { kind: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function problem(code: 'NOT_FOUND' | 'INVALID_ARGUMENT', errorMessage: string): Answer {
  return { kind: 'errorResponse', value: { errorCode: statusCode(code), errorMessage } };
}

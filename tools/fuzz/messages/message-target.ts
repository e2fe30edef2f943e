import { finish } from '../../../src/base/slices.js';
import { readResponse } from '../../../src/core/response.js';
import { validateFile } from '../../../src/inspect/validate/files.js';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { Any } from '../../../src/proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { encode } from '../../../src/proto/message-type.js';
import { Redactor } from '../../../src/proto/redactor.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { type ResourceContext, readResourceSwitches } from '../../../src/resources/context.js';
import { type ValidatedResponse, validateResponse } from '../../../src/resources/validate-response.js';
import { ValidationCache } from '../../../src/resources/validation-cache.js';
import { type Corpus, readCorpus } from '../../oracle/mutation/corpus.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes } from '../../oracle/mutation/mutate.js';
import { newResponses } from '../../oracle/mutation/new-responses.js';
import { shrink } from '../shrink.js';
import { stableText } from '../stable-text.js';
import type { CaseResult, FuzzTarget, SmallestCase } from '../target.js';
import { messageOf, oracleOf, require } from '../violation.js';
import { checkPrinted } from './printed-check.js';

const CONTEXT: ResourceContext = {
  switches: readResourceSwitches({}, true),
  certificateProviders: new Set(['provider1']),
  trustedServer: false,
  allowedGrpcServices: new Set(),
  interfaces: new Map([['lo', 1]]),
};
const MESSAGES_PER_CASE = 20;
/** A NACK lists every error with its path, so it is longer than the resource. */
const MAX_NACK_PER_BYTE = 200;
const TYPES: Record<string, string> = {
  Listener: RESOURCE_TYPES.LDS,
  RouteConfiguration: RESOURCE_TYPES.RDS,
  Cluster: RESOURCE_TYPES.CDS,
  ClusterLoadAssignment: RESOURCE_TYPES.EDS,
};

/** What reads a message. Tests plant bugs here. */
export interface MessageReaders {
  validate: typeof validateResponse;
}

/** DiscoveryResponses: mutated resources that C-core has seen, and broken bytes. */
export function messageTarget(readers: MessageReaders = { validate: validateResponse }): FuzzTarget {
  let corpus: Corpus | undefined;
  const redactor = new Redactor(xdsCatalogue);
  return {
    name: 'messages',
    description: 'DiscoveryResponses, mutated by field and by byte: decode, validate, print, redact',
    share: 3,
    run: (dice) => {
      corpus ??= readCorpus();
      const cache = new ValidationCache(() => true);
      const responses = newResponses(corpus, dice);
      for (let i = 1; i <= MESSAGES_PER_CASE; i++) {
        const bytes = messageFrom(responses.next().value, dice);
        const isThorough = dice.chance(0.1);
        const check = (one: Uint8Array): void => checkMessage(one, cache, redactor, isThorough, readers);
        const failed = failure(bytes, check);
        if (failed !== undefined) return { inputs: i, failure: failed };
      }
      return { inputs: MESSAGES_PER_CASE };
    },
  };
}

function messageFrom(
  {
    type,
    response,
    resource_errors: errors = [],
  }: ReturnType<typeof newResponses> extends Generator<infer T> ? T : never,
  dice: Dice,
): Uint8Array {
  const resources = response.map(({ type_url: typeUrl, bytes }) =>
    Any.create({ typeUrl, value: Buffer.from(bytes, 'base64') }),
  );
  const typeUrl = TYPES[type] ?? type;
  const message = encode(
    DiscoveryResponse,
    DiscoveryResponse.create({ typeUrl, versionInfo: '1', nonce: 'n', resources }),
  );
  // Field 6: resource_errors.
  const reported = errors.map((error) => delimited(6, Buffer.from(error, 'base64')));
  const whole = Buffer.concat([message, ...reported]);
  return dice.chance(0.1) ? brokenBytes(whole, dice) : whole;
}

function delimited(field: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), bytes]);
}

function failure(bytes: Uint8Array, check: (bytes: Uint8Array) => void): CaseResult['failure'] {
  const errorOf = (one: Uint8Array): unknown => {
    try {
      check(one);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const error = errorOf(bytes);
  if (error === undefined) return undefined;
  const oracle = oracleOf(error);
  const smallest = async (): Promise<SmallestCase> => {
    const shorter = await shrink([...bytes], (list) => {
      const other = errorOf(Uint8Array.from(list));
      return other !== undefined && oracleOf(other) === oracle;
    });
    const contents = Uint8Array.from(shorter);
    return {
      message: messageOf(errorOf(contents) ?? error),
      inputs: 1,
      reproducers: [{ extension: '.binpb', contents }],
    };
  };
  return { oracle, message: messageOf(error), smallest };
}

function checkMessage(
  bytes: Uint8Array,
  cache: ValidationCache,
  redactor: Redactor,
  isThorough: boolean,
  { validate }: MessageReaders,
): void {
  const { message } = finish(readResponse(bytes, () => true));
  const redacted = redactor.redact(DiscoveryResponse.typeName, bytes);
  require(redacted.length === bytes.length, 'no-exception', () => 'redaction changes the length of a message');
  if (message === undefined) return;
  const plain = validate(message, CONTEXT);
  const size = plain.nack?.length ?? 0;
  const limit = 1000 + MAX_NACK_PER_BYTE * bytes.length;
  require(size <= limit, 'output-size', () => `the NACK of a response of ${bytes.length} bytes has ${size} characters`);
  const cached = validate(message, CONTEXT, cache);
  const [was, is] = [comparable(plain), comparable(validate(message, CONTEXT, cache))];
  require(comparable(cached) === was, 'validation-cache', () => `without cache ${was}, first ${comparable(cached)}`);
  require(was === is, 'validation-cache', () => `without cache ${was}, with cache ${is}`);
  if (!isThorough) return;
  validateFile('message.binpb', bytes, CONTEXT);
  for (const { resource } of plain.resources)
    if (resource !== undefined) checkPrinted(resource.typeUrl, resource.value);
}

function comparable({ verdict, nack, resources }: ValidatedResponse): string {
  return stableText([verdict, nack, resources.map(({ name, result, errors }) => [name, result, errors])]);
}

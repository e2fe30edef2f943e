import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescriptorFiles } from '../../../src/csds/reflection/descriptor-files.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { printAny } from '../../../src/proto/json/print.js';
import { readDescriptorSet } from '../../../src/proto/user-types/descriptor-set.js';
import { readProtoSource } from '../../../src/proto/user-types/proto-source.js';
import { userCatalogue } from '../../../src/proto/user-types/user-catalogue.js';
import { jsonText } from '../../../src/view/render/json.js';
import { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes } from '../../oracle/mutation/mutate.js';
import { checkOutput } from '../outputs.js';
import type { FuzzTarget } from '../target.js';
import { fileTarget } from './file-target.js';
import { mutatedText } from './text-mutation.js';

const PROTO = join(import.meta.dirname, '../../../proto');
const TYPES = ['envoy.config.cluster.v3.Cluster', 'envoy.config.route.v3.RouteConfiguration', 'google.protobuf.Struct'];
const MAX_PRINTED = 5;

/** Types of the user: descriptor sets and .proto files. Their messages print random bytes. */
export function userTypesTarget(): FuzzTarget {
  let sets: Buffer[] | undefined;
  let sources: Buffer[] | undefined;
  return fileTarget({
    name: 'user-types',
    description: 'descriptor sets and .proto files of the user',
    share: 1,
    extension: '.txt',
    generate: (dice) => {
      sets ??= TYPES.map(descriptorSet);
      sources ??= readdirSync(PROTO)
        .filter((name) => name.endsWith('.proto'))
        .sort()
        .map((name) => readFileSync(join(PROTO, name)));
      return dice.chance(0.5) ? broken(dice.pick(sets), dice) : mutatedText(dice.pick(sources), dice);
    },
    checkOf: (dice) => {
      const seed = dice.below(1_000_000);
      return (_path, bytes) => checkTypes(bytes, new Dice(seed));
    },
  });
}

/** A FileDescriptorSet with the files that declare a type. */
function descriptorSet(type: string): Buffer {
  const files = new DescriptorFiles().containing(type) ?? [];
  return Buffer.concat(files.slice(0, 3).flatMap((file) => [Buffer.from([10, ...lengthOf(file)]), file]));
}

function lengthOf({ length }: Uint8Array): number[] {
  return length < 128
    ? [length]
    : [(length & 127) | 128, ...(length < 16384 ? [length >> 7] : [((length >> 7) & 127) | 128, length >> 14])];
}

function broken(bytes: Buffer, dice: Dice): Buffer {
  let current = bytes;
  for (let changes = dice.below(5); changes > 0; changes--) current = brokenBytes(current, dice);
  return current;
}

function checkTypes(bytes: Uint8Array, dice: Dice): void {
  for (const drafts of [readDescriptorSet(bytes), readProtoSource(Buffer.from(bytes).toString())]) {
    if ('problem' in drafts) continue;
    const { catalogue } = userCatalogue([drafts], xdsCatalogue);
    for (const { fullName } of drafts.messages.slice(0, MAX_PRINTED)) {
      const value = Uint8Array.from({ length: dice.below(60) }, () => dice.below(256));
      const text = jsonText(printAny(catalogue, `type.googleapis.com/${fullName}`, value), false);
      checkOutput({ text, format: 'json', source: fullName }, bytes.length);
    }
  }
}

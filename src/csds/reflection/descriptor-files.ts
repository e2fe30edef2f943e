import { catalogueNames, xdsCatalogue } from '../../proto/json/catalogue.js';
import { CSDS_SERVICE } from '../methods.js';
import { cycles, referencesOf, type TopLevelType, topLevelOf, topLevelTypes } from './type-groups.js';
import { type DescribedFile, type ServiceDescription, writeFile } from './write-descriptor.js';

const REFLECTION = 'grpc.reflection.v1.ServerReflection';

const SERVICES: readonly ServiceDescription[] = [
  {
    name: CSDS_SERVICE,
    methods: [
      { name: 'StreamClientStatus', ...csdsTypes(), isStreaming: true },
      { name: 'FetchClientStatus', ...csdsTypes(), isStreaming: false },
    ],
  },
  {
    name: REFLECTION,
    methods: [
      {
        name: 'ServerReflectionInfo',
        input: 'grpc.reflection.v1.ServerReflectionRequest',
        output: 'grpc.reflection.v1.ServerReflectionResponse',
        isStreaming: true,
      },
    ],
  },
];

function csdsTypes(): { input: string; output: string } {
  const packageName = CSDS_SERVICE.slice(0, CSDS_SERVICE.lastIndexOf('.'));
  return { input: `${packageName}.ClientStatusRequest`, output: `${packageName}.ClientStatusResponse` };
}

export const SERVICE_NAMES: readonly string[] = SERVICES.map(({ name }) => name);

/** Well-known types keep the file names that every program has, so that they do not conflict. */
const WELL_KNOWN: [RegExp, string][] = [
  [/^google\.protobuf\.(Struct|Value|ListValue|NullValue)$/, 'struct'],
  [/^google\.protobuf\.\w+Value$/, 'wrappers'],
  [/^google\.protobuf\.FieldMask$/, 'field_mask'],
];

/**
 * The xDS API as file descriptors, generated from the catalogue. The files differ from the original .proto files, but
 * contain the same types, so that a CSDS client can print the contents of every resource.
 */
export class DescriptorFiles {
  readonly #types: Map<string, TopLevelType>;
  readonly #files = new Map<string, DescribedFile>();
  /** The file of each top-level type and of each service. */
  readonly #fileByType = new Map<string, string>();
  readonly #written = new Map<string, Uint8Array>();

  constructor() {
    this.#types = topLevelTypes(catalogueNames);
    const references = new Map([...this.#types].map(([name, type]) => [name, referencesOf(type, xdsCatalogue)]));
    const next = (name: string): readonly string[] => references.get(name) ?? [];
    const groups = new Map<string, string[]>();
    for (const cycle of cycles(this.#types.keys(), next)) {
      const file = fileOf(cycle);
      groups.set(file, [...(groups.get(file) ?? []), ...cycle]);
      for (const name of cycle) this.#fileByType.set(name, file);
    }
    for (const [name, types] of groups) {
      const imports = this.#importsOf(name, types.flatMap(next));
      this.#files.set(name, { name, packageName: packageOf(types[0] as string), imports, types });
    }
    for (const service of SERVICES) this.#addService(service);
  }

  /** Returns the file that declares a type, a service or a nested symbol, with all files that it imports. */
  containing(symbol: string): Uint8Array[] | undefined {
    const name = symbol.replace(/^\./, '');
    const file = this.#fileByType.get(topLevelOf(name));
    return file === undefined ? undefined : this.named(file);
  }

  named(name: string): Uint8Array[] | undefined {
    if (!this.#files.has(name)) return undefined;
    const all = new Set<string>();
    const add = (one: string): void => {
      if (all.has(one)) return;
      all.add(one);
      for (const other of this.#files.get(one)?.imports ?? []) add(other);
    };
    add(name);
    return [...all].map((one) => this.#bytesOf(one));
  }

  #addService(service: ServiceDescription): void {
    const name = `${service.name.replaceAll('.', '/')}.proto`;
    const imports = this.#importsOf(
      name,
      service.methods.flatMap(({ input, output }) => [input, output]),
    );
    this.#files.set(name, { name, packageName: packageOf(service.name), imports, types: [], service });
    this.#fileByType.set(service.name, name);
  }

  #importsOf(file: string, types: readonly string[]): string[] {
    const names = types.map((type) => this.#fileByType.get(type) as string);
    return [...new Set(names)].filter((name) => name !== file);
  }

  #bytesOf(name: string): Uint8Array {
    const known = this.#written.get(name);
    if (known !== undefined) return known;
    const bytes = writeFile(this.#files.get(name) as DescribedFile, xdsCatalogue, (type) => this.#nestedIn(type));
    this.#written.set(name, bytes);
    return bytes;
  }

  #nestedIn(name: string): string[] {
    const depth = name.split('.').length + 1;
    const all = this.#types.get(topLevelOf(name))?.all ?? [];
    return all.filter((one) => one.startsWith(`${name}.`) && one.split('.').length === depth);
  }
}

function fileOf(cycle: readonly string[]): string {
  const [first] = [...cycle].sort() as [string];
  if (!first.startsWith('google.protobuf.')) return `${first.replaceAll('.', '/')}.proto`;
  const known = WELL_KNOWN.find(([pattern]) => pattern.test(first))?.[1];
  return `google/protobuf/${known ?? first.slice('google.protobuf.'.length).toLowerCase()}.proto`;
}

function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

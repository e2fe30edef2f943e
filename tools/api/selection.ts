import { type DescriptorSet, eachMessage, type FileDescriptor } from '../generate/descriptor-set.ts';

/** The v3 API and two older packages that it still uses, the packages of xDS, and the details of a google.rpc.Status. */
const API =
  /^(envoy\.((.+\.)?v3(alpha)?|config\.(cluster\.redis|retry\.previous_priorities))|(udpa|xds)\..+|google\.rpc)$/;

/** Annotations describe the API for generators and linters. No message contains them. */
const ANNOTATIONS = /(^|\.)annotations(\.|$)/;

/** The protobuf runtime has these types. */
const RUNTIME = 'google.protobuf';

/**
 * Selects the files of the API, and all others whose types it uses: CEL, OpenCensus, OpenTelemetry. This omits the v2 API
 * and most of googleapis, which the package contains too.
 */
export function selectApi({ file: files }: DescriptorSet): DescriptorSet {
  const fileOf = new Map<string, FileDescriptor>();
  for (const file of files) for (const name of typesOf(file)) fileOf.set(name, file);
  const isApi = ({ package: name }: FileDescriptor): boolean => API.test(name) && !ANNOTATIONS.test(name);
  const selected = new Set<FileDescriptor>();
  const open = files.filter(isApi);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (selected.has(file)) continue;
    selected.add(file);
    for (const name of usesOf(file)) {
      const declaring = fileOf.get(name);
      if (declaring !== undefined) open.push(declaring);
      else if (!name.startsWith(`${RUNTIME}.`)) throw new Error(`${file.name}: no file declares ${name}`);
    }
  }
  return { file: files.filter((file) => selected.has(file) && typesOf(file).length > 0) };
}

function typesOf(file: FileDescriptor): string[] {
  const names = file.enum_type.map(({ name }) => `${file.package}.${name}`);
  eachMessage(file, (message, name) => {
    names.push(name, ...message.enum_type.map((one) => `${name}.${one.name}`));
  });
  return names;
}

/** The full names of the types of all fields. */
function usesOf(file: FileDescriptor): string[] {
  const names: string[] = [];
  eachMessage(file, ({ field }) => {
    for (const { type_name: name } of field) if (name !== '') names.push(name.slice(1));
  });
  return names;
}

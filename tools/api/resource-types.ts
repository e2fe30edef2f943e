import protobuf from 'protobufjs';

/** The part of a FileDescriptorSet with the annotations of services. */
const SERVICES = `
  syntax = "proto3";
  message FileDescriptorSet { repeated File file = 1; }
  message File { string package = 2; repeated Service service = 6; }
  message Service { Options options = 3; }
  message Options { Annotation resource = 265073217; }
  message Annotation { string type = 1; }
`;

interface Services {
  file: { package: string; service: { options?: { resource?: { type: string } } }[] }[];
}

/** The resource types of the discovery services in the v3 API: those that `envoy.annotations.resource` names. */
export function resourceTypesIn(descriptors: Uint8Array): string[] {
  const type = protobuf.parse(SERVICES).root.lookupType('FileDescriptorSet');
  const { file: files } = type.decode(descriptors) as unknown as Services;
  const types = files
    .filter(({ package: name }) => name.endsWith('.v3'))
    .flatMap(({ service: services }) => services.map(({ options }) => options?.resource?.type))
    .filter((name) => name !== undefined);
  return [...new Set(types)].sort();
}

import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { describe, expect, it } from 'vitest';
import { respondToReflection } from '../../src/csds/reflection/response.js';
import { ServerReflectionRequest, ServerReflectionResponse } from '../../src/proto/generated/grpc.reflection.v1.js';
import { catalogueNames, xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { decode, encode } from '../../src/proto/message-type.js';
import { dumpBytes } from './dumps.js';

function ask(messageRequest: ServerReflectionRequest['messageRequest']): ServerReflectionResponse['messageResponse'] {
  const request = encode(ServerReflectionRequest, ServerReflectionRequest.create({ host: 'h', messageRequest }));
  const answer = decode(ServerReflectionResponse, respondToReflection(request));
  if (!answer.ok) throw new Error(answer.reason);
  expect(answer.value.validHost).toBe('h');
  return answer.value.messageResponse;
}

function filesWith(symbol: string): readonly Uint8Array[] {
  const answer = ask({ kind: 'fileContainingSymbol', value: symbol });
  if (answer?.kind !== 'fileDescriptorResponse') throw new Error(JSON.stringify(answer));
  return answer.value.fileDescriptorProto;
}

/** Reads descriptors with an independent implementation. */
function rootOf(files: readonly Uint8Array[]): protobuf.Root {
  const set = protobuf.Writer.create();
  for (const file of files) set.uint32(10).bytes(file);
  // biome-ignore lint/suspicious/noExplicitAny: the extension adds this without a type
  const root = (protobuf.Root as any).fromDescriptor(set.finish()) as protobuf.Root;
  root.resolveAll();
  return root;
}

const CSDS = 'envoy.service.status.v3.ClientStatusDiscoveryService';

describe('server reflection', () => {
  it('lists the services', () => {
    expect(ask({ kind: 'listServices', value: '' })).toMatchObject({
      value: { service: [{ name: CSDS }, { name: 'grpc.reflection.v1.ServerReflection' }] },
    });
  });

  it('describes CSDS so that a client can decode a response without .proto files', () => {
    const root = rootOf(filesWith(CSDS));
    const { methods } = root.lookupService(CSDS);
    expect(
      Object.values(methods).map(({ name, requestStream, responseStream }) => [name, requestStream, responseStream]),
    ).toEqual([
      ['StreamClientStatus', true, true],
      ['FetchClientStatus', undefined, undefined],
    ]);
    const type = root.lookupType('envoy.service.status.v3.ClientStatusResponse');
    const read = type.toObject(type.decode(dumpBytes('c-core')), { enums: String });
    expect(read.config[0]).toMatchObject({ client_scope: 'xds:/greeter', node: { id: 'n1' } });
    expect(read.config[0].generic_xds_configs[0]).toMatchObject({ name: 'gone', client_status: 'DOES_NOT_EXIST' });
  });

  it('describes the types in resources, with maps, enums and mutual references', () => {
    const root = rootOf(filesWith('.envoy.config.route.v3.RouteConfiguration'));
    const struct = root.lookupType('google.protobuf.Struct');
    expect(struct.fields.fields).toMatchObject({ repeated: true, type: '.google.protobuf.Struct.FieldsEntry' });
    expect(struct.lookupType('FieldsEntry').fieldsArray.map(({ name, id, type }) => [name, id, type])).toEqual([
      ['key', 1, 'string'],
      ['value', 2, '.google.protobuf.Value'],
    ]);
    expect(root.lookupEnum('envoy.config.route.v3.VirtualHost.TlsRequirementType').values).toEqual({
      NONE: 0,
      EXTERNAL_ONLY: 1,
      ALL: 2,
    });
  });

  it('has every type of the API, each in one file, and no missing imports', () => {
    for (const name of catalogueNames) {
      const files = filesWith(name);
      expect(files.length).toBeGreaterThan(0);
    }
    const files = filesWith('envoy.config.listener.v3.Listener');
    const root = rootOf(files);
    const type = root.lookupType('envoy.config.listener.v3.Listener');
    const known = xdsCatalogue.message('envoy.config.listener.v3.Listener');
    expect(type.fieldsArray.map(({ id }) => id).sort()).toEqual([...(known?.byNumber.keys() ?? [])].sort());
  });

  it('has no import cycles', () => {
    const imports = new Map<string, string[]>();
    for (const file of catalogueNames.flatMap((name) => filesWith(name).slice(0, 1))) {
      const { name, dependency } = descriptor.FileDescriptorProto.decode(file) as unknown as {
        name: string;
        dependency: string[];
      };
      imports.set(name, dependency);
    }
    const order = new Set<string>();
    const visit = (name: string, above: readonly string[]): void => {
      expect(above).not.toContain(name);
      if (order.has(name)) return;
      for (const other of imports.get(name) ?? ['a missing file']) visit(other, [...above, name]);
      order.add(name);
    };
    for (const name of imports.keys()) visit(name, []);
    expect(order.size).toBe(imports.size);
  });

  it('returns a file by its name, with its imports', () => {
    const answer = ask({ kind: 'fileByFilename', value: 'google/protobuf/struct.proto' });
    expect(answer).toMatchObject({ kind: 'fileDescriptorResponse' });
    expect(rootOf(filesWith('google.protobuf.Any')).lookupType('google.protobuf.Any').fieldsArray).toHaveLength(2);
  });

  const UNKNOWN: [string, ServerReflectionRequest['messageRequest'], number][] = [
    ['an unknown type', { kind: 'fileContainingSymbol', value: 'made.up.Thing' }, 5],
    ['an unknown file', { kind: 'fileByFilename', value: 'made/up.proto' }, 5],
    ['extensions', { kind: 'allExtensionNumbersOfType', value: CSDS }, 5],
    ['nothing', undefined, 3],
  ];
  for (const [what, request, code] of UNKNOWN) {
    it(`responds with an error to a request for ${what}`, () => {
      expect(ask(request)).toMatchObject({ kind: 'errorResponse', value: { errorCode: code } });
    });
  }
});

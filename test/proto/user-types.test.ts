import fc from 'fast-check';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseMessage } from '../../src/proto/json/parse.js';
import { printAny } from '../../src/proto/json/print.js';
import { readDescriptorSet } from '../../src/proto/user-types/descriptor-set.js';
import type { Drafts } from '../../src/proto/user-types/draft.js';
import { readProtoSource } from '../../src/proto/user-types/proto-source.js';
import { userCatalogue } from '../../src/proto/user-types/user-catalogue.js';

const SOURCE = `
syntax = "proto3";
package acme.v1;
import "google/protobuf/duration.proto";
message Widget {
  enum Color { NONE = 0; BLUE = 1; }
  message Part { string name = 1; repeated sint32 sizes = 2; }
  string name = 1;
  Color color = 2;
  repeated Part parts = 3;
  map<string, Part> by_name = 4;
  oneof kind { uint64 number = 5; string text_value = 6; }
  optional bool on = 7;
  google.protobuf.Duration age = 8;
  bytes api_key = 9 [debug_redact = true];
  Widget next = 10;
}
`;

const WIDGET = {
  name: 'w',
  color: 'BLUE',
  parts: [{ name: 'p', sizes: [-1, 2] }],
  byName: { a: { name: 'q' } },
  number: '0',
  on: false,
  age: '1.500s',
  apiKey: 'a2V5',
  next: { name: 'inner' },
};

function good(read: Drafts | { problem: string }): Drafts {
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

/** Encodes a descriptor set as protoc does. */
function descriptorSet(text: string, syntax = 'proto3'): Uint8Array {
  const root = protobuf.parse(text, new protobuf.Root(), { keepCase: true }).root;
  root.addJSON(protobuf.common.get('google/protobuf/duration.proto')?.nested ?? {});
  root.resolveAll();
  const set = (root as unknown as { toDescriptor(syntax: string): protobuf.Message }).toDescriptor(syntax);
  return (descriptor as unknown as { FileDescriptorSet: protobuf.Type }).FileDescriptorSet.encode(set).finish();
}

const SOURCES: [string, () => Drafts][] = [
  ['a .proto file', () => good(readProtoSource(SOURCE))],
  ['a descriptor set', () => good(readDescriptorSet(descriptorSet(SOURCE)))],
];

for (const [title, drafts] of SOURCES) {
  describe(`types from ${title}`, () => {
    it('are encoded and printed by field name', () => {
      const { catalogue, unresolved } = userCatalogue([drafts()], xdsCatalogue);
      expect(unresolved).toEqual([]);
      const problems = new Problems();
      const bytes = parseMessage(catalogue, 'acme.v1.Widget', WIDGET, problems);
      expect(problems.list).toEqual([]);
      expect(printAny(catalogue, 'x/acme.v1.Widget', bytes as Uint8Array)).toEqual({
        '@type': 'x/acme.v1.Widget',
        ...WIDGET,
      });
      expect(printAny(xdsCatalogue, 'x/acme.v1.Widget', bytes as Uint8Array)).toMatchObject({
        '@error': 'type not known',
      });
    });

    it('are listed among the message names', () => {
      const names = [...userCatalogue([drafts()], xdsCatalogue).catalogue.messageNames()];
      expect(names).toEqual(expect.arrayContaining(['acme.v1.Widget.Part', 'envoy.config.cluster.v3.Cluster']));
    });
  });
}

describe('userCatalogue', () => {
  it('redacts fields that the file marks as secret', () => {
    const { catalogue } = userCatalogue([good(readProtoSource(SOURCE))], xdsCatalogue);
    const bytes = Uint8Array.of(0x4a, 3, 107, 101, 121);
    expect(printAny(catalogue, 'x/acme.v1.Widget', bytes, { showSecrets: false })).toMatchObject({
      apiKey: '[redacted]',
    });
  });

  it('overrides types of the API, but keeps their secret fields and the well-known types', () => {
    const newer = `
syntax = "proto3";
package envoy.extensions.transport_sockets.tls.v3;
message GenericSecret { envoy.config.core.v3.DataSource secret = 1; string brand_new = 99; }
`;
    const duration = 'syntax = "proto3"; package google.protobuf; message Duration { string seconds = 1; }';
    const drafts = [newer, duration].map((text) => good(readProtoSource(text)));
    const { catalogue } = userCatalogue(drafts, xdsCatalogue);
    const secret = Uint8Array.of(0x0a, 5, 0x1a, 3, 75, 69, 89, 0x9a, 6, 1, 120);
    const url = 'x/envoy.extensions.transport_sockets.tls.v3.GenericSecret';
    expect(printAny(catalogue, url, secret, { showSecrets: false })).toEqual({
      '@type': url,
      secret: { inlineString: '[redacted]' },
      brandNew: 'x',
    });
    expect(printAny(catalogue, 'x/google.protobuf.Duration', Uint8Array.of(8, 2))).toMatchObject({ value: '2s' });
  });

  it('resolves types of the API and of other files, and prints fields of undeclared types by number', () => {
    const a = 'syntax = "proto3"; package a; message A { b.B b = 1; envoy.config.core.v3.Node node = 2; c.C c = 3; }';
    const b = 'syntax = "proto3"; package b; message B { string text = 1; }';
    const { catalogue, unresolved } = userCatalogue(
      [a, b].map((text) => good(readProtoSource(text))),
      xdsCatalogue,
    );
    expect(unresolved).toEqual(['a.A.c: c.C']);
    const bytes = Uint8Array.of(0x0a, 3, 0x0a, 1, 120, 0x12, 3, 0x0a, 1, 121, 0x1a, 1, 0);
    expect(printAny(catalogue, 'x/a.A', bytes)).toEqual({
      '@type': 'x/a.A',
      b: { text: 'x' },
      node: { id: 'y' },
      '@unknown': [{ field: 3, bytes: 'AA==' }],
    });
  });

  it('prints a default that was sent for a proto2 field', () => {
    const text = 'syntax = "proto2"; package p; message M { optional int32 n = 1; required string s = 2; }';
    const m = Uint8Array.of(8, 0, 0x12, 0);
    for (const drafts of [good(readProtoSource(text)), good(readDescriptorSet(descriptorSet(text, 'proto2')))]) {
      const { catalogue } = userCatalogue([drafts], xdsCatalogue);
      expect(printAny(catalogue, 'x/p.M', m)).toEqual({ '@type': 'x/p.M', n: 0, s: '' });
    }
  });

  it('resolves absolute names, as protoc writes them', () => {
    const types = descriptor as unknown as { FileDescriptorSet: protobuf.Type };
    const entry = {
      name: 'CountsEntry',
      options: { mapEntry: true },
      field: [
        { name: 'key', number: 1, label: 1, type: 9 },
        { name: 'value', number: 2, label: 1, type: 5 },
      ],
    };
    const message = {
      name: 'M',
      nestedType: [entry],
      field: [
        { name: 'counts', number: 1, label: 3, type: 11, typeName: '.p.M.CountsEntry' },
        { name: 'inner', number: 2, label: 1, type: 11, typeName: '.p.M', jsonName: 'deeper' },
      ],
    };
    const file = { name: 'm.proto', package: 'p', syntax: 'proto3', messageType: [message] };
    const set = types.FileDescriptorSet.encode(types.FileDescriptorSet.fromObject({ file: [file] })).finish();
    const { catalogue } = userCatalogue([good(readDescriptorSet(set))], xdsCatalogue);
    const bytes = Uint8Array.of(0x0a, 5, 0x0a, 1, 97, 0x10, 3, 0x12, 0);
    expect(printAny(catalogue, 'x/p.M', bytes)).toEqual({ '@type': 'x/p.M', counts: { a: 3 }, deeper: {} });
  });

  it('uses the first declaration of a type', () => {
    const one = good(readProtoSource('syntax = "proto3"; message M { string one = 1; }'));
    const two = good(readProtoSource('syntax = "proto3"; message M { string two = 1; }'));
    const { catalogue } = userCatalogue([one, two], xdsCatalogue);
    expect(printAny(catalogue, 'x/M', Uint8Array.of(0x0a, 1, 120))).toEqual({ '@type': 'x/M', one: 'x' });
  });
});

describe('invalid type files', () => {
  const sources: [string, RegExp][] = [
    ['message {', /illegal/],
    ['syntax = "proto3"; message M { strin', /^unexpected end of file$/],
    ['syntax = "proto3"; message M { string a = 1; string b = 1; }', /duplicate/],
    [`syntax = "proto3"; ${'message M {'.repeat(20_000)}`, /max depth exceeded/],
    ['\u0000\u0001', /illegal/],
  ];
  for (const [text, want] of sources) {
    it(`rejects the .proto file ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(readProtoSource(text)).toEqual({ problem: expect.stringMatching(want) });
    });
  }

  it('rejects a descriptor set without types or with invalid bytes', () => {
    expect(readDescriptorSet(new Uint8Array(0))).toEqual({ problem: 'contains no message types' });
    expect(readDescriptorSet(Uint8Array.of(0x0a, 200))).toEqual({
      problem: expect.stringMatching(/^not a FileDescriptorSet: .* at byte/),
    });
  });

  it('reads or rejects any mutation of a descriptor set, and prints with those that it reads', () => {
    const base = descriptorSet(SOURCE);
    const widget = parseMessage(
      userCatalogue([good(readDescriptorSet(base))], xdsCatalogue).catalogue,
      'acme.v1.Widget',
      WIDGET,
      new Problems(),
    ) as Uint8Array;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const bytes = base.slice();
          for (const [at, value] of changes) bytes[at] = value;
          const drafts = readDescriptorSet(bytes);
          if ('problem' in drafts) return;
          const { catalogue } = userCatalogue([drafts], xdsCatalogue);
          expect(JSON.stringify(printAny(catalogue, 'x/acme.v1.Widget', widget, { showSecrets: false }))).toContain(
            'x/acme',
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});

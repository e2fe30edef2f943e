import { describe, expect, it } from 'vitest';
import { type Struct, Value } from '../../src/proto/generated/google.protobuf.js';
import { structProblem, structToJson } from '../../src/resources/common/struct-json.js';

const PREFIX = 'error encoding google::Protobuf::Struct as JSON: ';
const NOT_FINITE = `${PREFIX}google.protobuf.Value cannot encode double values for infinity or nan, because they would be parsed as a string`;

const struct = (kind: Value['kind']): Struct => ({ fields: new Map([['k', Value.create({ kind })]]) });
const list = (kind: Value['kind']): Struct =>
  struct({ kind: 'listValue', value: { values: [Value.create({ kind })] } });

const convert = (value: Struct): object => {
  const problem = structProblem(value);
  return problem === undefined ? { json: structToJson(value) } : { problem };
};

describe('structToJson', () => {
  const cases: [title: string, struct: Struct, want: object][] = [
    ['an empty struct', { fields: new Map() }, { json: {} }],
    ['null', struct({ kind: 'nullValue', value: 0 }), { json: { k: null } }],
    ['a list', list({ kind: 'numberValue', value: 1.5 }), { json: { k: [1.5] } }],
    [
      'a struct in a struct',
      struct({ kind: 'structValue', value: struct({ kind: 'boolValue', value: true }) }),
      { json: { k: { k: true } } },
    ],
    ['no kind', struct(undefined), { problem: `${PREFIX}No value set in Value proto` }],
    ['no kind in a list', list(undefined), { problem: `${PREFIX}No value set in Value proto` }],
    ['infinity', struct({ kind: 'numberValue', value: Number.POSITIVE_INFINITY }), { problem: NOT_FINITE }],
    ['NaN in a list', list({ kind: 'numberValue', value: Number.NaN }), { problem: NOT_FINITE }],
  ];
  for (const [title, value, want] of cases) it(title, () => expect(convert(value)).toEqual(want));
});

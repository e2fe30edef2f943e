import type { CatalogueField } from '../../../src/proto/json/catalogue.js';
import type { Corpus } from './corpus.js';
import type { Dice } from './dice.js';
import { editedText, oddFixed, oddInteger, oddScalar, oddText } from './odd-values.js';
import { fieldsOf, isTree, kindOf, type Node, places, serialize, type Tree, typeUrlIn } from './wire-tree.js';

const UNKNOWN_FIELDS = [19, 47, 99, 536, 5_000, 200_000_000];

/** Changes one random field in a message. */
export function mutate(tree: Tree, corpus: Corpus, dice: Dice): void {
  const all = [...places(tree)];
  if (all.length === 0) {
    addField(tree, corpus, dice);
    return;
  }
  const place = dice.pick(all);
  const change = dice.weighted<(place: MutationPlace, corpus: Corpus, dice: Dice) => void>([
    [13, ({ tree: within, index }) => within.nodes.splice(index, 1)],
    [7, ({ tree: within, node }) => within.nodes.splice(dice.below(within.nodes.length + 1), 0, copied(node))],
    [4, ({ tree: within }) => dice.shuffle(within.nodes)],
    [28, transplant],
    [14, ({ tree: within }) => addField(within, corpus, dice)],
    [4, addUnknown],
    [30, changeValue],
  ]);
  change(place, corpus, dice);
}

interface MutationPlace {
  tree: Tree;
  index: number;
  node: Node;
}

/** Replaces a value by a recorded value of the same field, or adds one. */
function transplant({ tree, index, node }: MutationPlace, corpus: Corpus, dice: Dice): void {
  const values = corpus.pool.get(kindOf(tree, node));
  if (values === undefined) return;
  const other = copied(dice.pick(values));
  if (dice.chance(0.7)) tree.nodes[index] = other;
  else tree.nodes.splice(dice.below(tree.nodes.length + 1), 0, other);
}

/** Adds a field of the message type, with a recorded value or an odd one. */
function addField(tree: Tree, corpus: Corpus, dice: Dice): void {
  const fields = fieldsOf(tree.shape);
  if (fields.length === 0) return;
  const field = dice.pick(fields);
  const seen = corpus.pool.get(kindOf(tree, { field: field.number, wire: 2, value: 0n }));
  const node = seen !== undefined && dice.chance(0.6) ? copied(dice.pick(seen)) : oddNode(field, corpus, dice);
  tree.nodes.splice(dice.below(tree.nodes.length + 1), 0, node);
}

function oddNode(field: CatalogueField, corpus: Corpus, dice: Dice): Node {
  const { number, type } = field;
  if (type.kind === 'scalar' && field.mapKey === undefined) return { field: number, ...oddScalar(dice, type.scalar) };
  if (type.kind === 'enum') return { field: number, wire: 0, value: oddInteger(dice) };
  if (type.kind === 'message' && type.name === 'google.protobuf.Any') {
    return { field: number, wire: 2, value: copiedTree(dice.pick(corpus.anys)) };
  }
  const empty = type.kind === 'message' ? { shape: { message: type.name }, nodes: [] } : Buffer.alloc(0);
  return { field: number, wire: 2, value: empty };
}

function addUnknown({ tree }: MutationPlace, _corpus: Corpus, dice: Dice): void {
  const field = dice.pick(UNKNOWN_FIELDS);
  const value = dice.chance(0.5)
    ? { wire: 0 as const, value: oddInteger(dice) }
    : { wire: 2 as const, value: oddText(dice) };
  tree.nodes.push({ field, ...value });
}

function changeValue({ node }: MutationPlace, corpus: Corpus, dice: Dice): void {
  if (node.wire === 0) node.value = oddInteger(dice);
  else if (node.wire === 1) node.value = oddFixed(dice, 8);
  else if (node.wire === 5) node.value = oddFixed(dice, 4);
  else if (Buffer.isBuffer(node.value)) changeText(node, node.value, corpus, dice);
  else changeMessage(node, node.value as Tree, corpus, dice);
}

function changeText(node: Node, text: Buffer, corpus: Corpus, dice: Dice): void {
  node.value = dice.weighted<() => Buffer>([
    [2, () => Buffer.alloc(0)],
    [3, () => dice.pick(corpus.texts)],
    [4, () => editedText(dice, text)],
    [3, () => oddText(dice)],
  ])();
}

function changeMessage(node: Node, message: Tree, corpus: Corpus, dice: Dice): void {
  if (typeUrlIn(message) !== undefined && dice.chance(0.6)) {
    changeAny(node, message, corpus, dice);
    return;
  }
  const change = dice.weighted([
    [4, 'empty'],
    [2, 'broken'],
    [1, 'elsewhere'],
    [3, 'number'],
    [3, 'text'],
  ] as const);
  const field = 1 + dice.below(30);
  if (change === 'empty') message.nodes.splice(0);
  else if (change === 'broken') node.value = brokenBytes(serialize(message), dice);
  else if (change === 'elsewhere') node.field = field;
  else if (change === 'number') message.nodes.push({ field, wire: 0, value: oddInteger(dice) });
  else message.nodes.push({ field, wire: 2, value: oddText(dice) });
}

/** Replaces an Any by another one, or changes only its type URL. */
function changeAny(node: Node, any: Tree, corpus: Corpus, dice: Dice): void {
  if (dice.chance(0.5)) {
    node.value = copiedTree(dice.pick(corpus.anys));
    return;
  }
  const url = any.nodes.find(({ field }) => field === 1);
  const name = (typeUrlIn(any) ?? '').replace(/^[^/]*\//, '');
  const other = dice.pick([
    dice.pick(corpus.typeUrls),
    '',
    'foo',
    'type.googleapis.com/',
    name,
    `x/${name}`,
    `/${name}`,
    `a/b/${name}`,
  ]);
  if (url !== undefined) url.value = Buffer.from(other);
}

/** Changes some bytes of a message at random. */
export function brokenBytes(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.below(bytes.length + 1);
  const changed = Buffer.from(bytes);
  return dice.weighted<() => Buffer>([
    [2, () => changed.subarray(0, at)],
    [3, () => Buffer.concat([changed.subarray(0, at), Buffer.from([dice.below(256)]), changed.subarray(at)])],
    [3, () => Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1)])],
    [
      6,
      () => {
        if (at < changed.length) changed[at] = (changed[at] as number) ^ (1 << dice.below(8));
        return changed;
      },
    ],
  ])();
}

function copied(node: Node): Node {
  return { ...node, value: isTree(node.value) ? copiedTree(node.value) : node.value };
}

function copiedTree({ shape, nodes }: Tree): Tree {
  return { shape, nodes: nodes.map(copied) };
}

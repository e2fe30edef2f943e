import type { Documents, Streams } from './documents.js';
import type { Paint } from './render/paint.js';
import { withoutCommands } from './visible-text.js';

/** The settings of a text: its colours, its width, and the form of times. */
export interface Page {
  paint: Paint;
  isColored: boolean;
  /** Columns of the terminal; undefined if lines are neither cut nor wrapped. */
  width: number | undefined;
  isTerminal: boolean;
  /** The age of a time in RFC 3339, in milliseconds. */
  ageOf: (time: string) => number;
  /** Shows times in RFC 3339 instead of ages. */
  showsTimes: boolean;
  /** Also lists expectations that hold. */
  listsAll: boolean;
}

/** Turns a document into text: all at once, or in parts if it can be large. */
type Format<D> = (document: D, page: Page) => string | Iterable<string>;

/** Returns a function that turns one item of a stream into text. */
type StreamFormat<T> = (page: Page) => (item: T) => string;

type LoadFormat<F> = () => Promise<F>;
type FormatTable = { [K in keyof Documents]: Record<string, LoadFormat<Format<Documents[K]>>> };
type StreamTable = { [K in keyof Streams]: Record<string, LoadFormat<StreamFormat<Streams[K]>>> };

const json = async (): Promise<Format<unknown>> => (await import('./render/json.js')).jsonDocument;
const yaml = async (): Promise<Format<unknown>> => (await import('./render/yaml.js')).yamlText;
/** Every document can be printed as data. */
const data = { json, yaml };

/** The formats of every document, the default first. A format is loaded when it is used. */
const FORMATS = {
  report: { text: async () => (await import('./render/report.js')).reportText, ...data },
  status: {
    table: async () => (await import('./render/status.js')).statusTable,
    wide: async () => (await import('./render/status.js')).statusWide,
    ...data,
    name: async () => (await import('./render/status.js')).statusNames,
  },
  'client-status': { csds: json },
  fleet: {
    table: async () => (await import('./render/fleet.js')).fleetTable,
    wide: async () => (await import('./render/fleet.js')).fleetWide,
    ...data,
  },
  config: {
    tree: async () => (await import('./render/config-tree.js')).configTrees,
    wide: async () => (await import('./render/config-tree.js')).configTreesWide,
    ...data,
    dot: async () => (await import('./render/config-graph.js')).configDots,
    mermaid: async () => (await import('./render/config-graph.js')).configMermaids,
  },
  'service-config': { 'service-config': async () => (await import('./render/json.js')).jsonDocuments },
  tears: { table: async () => (await import('./render/tears.js')).tearsTable, ...data },
  explain: {
    text: async () => (await import('./render/explain.js')).explainTexts,
    json: async () => (await import('./render/explain.js')).explainJson,
    yaml: async () => (await import('./render/explain-yaml.js')).explainYaml,
  },
  wait: { text: async () => (await import('./render/wait.js')).waitText, ...data },
  check: {
    text: async () => (await import('./render/check.js')).checkText,
    json: async () => (await import('./render/check.js')).checkJson,
    junit: async () => (await import('./render/check.js')).checkJunit,
    github: async () => (await import('./render/check.js')).checkAnnotations,
    tap: async () => (await import('./render/check.js')).checkTap,
  },
  compare: {
    table: async () => (await import('./render/compare.js')).compareTable,
    json: async () => (await import('./render/compare.js')).compareJson,
    yaml: async () => (await import('./render/compare.js')).compareYaml,
    junit: async () => (await import('./render/compare-ci.js')).compareJunit,
    github: async () => (await import('./render/compare-ci.js')).compareAnnotations,
  },
  diff: {
    text: async () => (await import('./render/diff/text.js')).diffText,
    diff: async () => (await import('./render/diff/unified.js')).diffUnified,
    json: async () => (await import('./render/diff/data.js')).diffJson,
    yaml: async () => (await import('./render/diff/data.js')).diffYaml,
    github: async () => (await import('./render/diff/annotations.js')).diffAnnotations,
  },
  'diff-page': { html: async () => (await import('./render/diff/html.js')).diffPageParts },
  timeline: { trace: async () => (await import('./render/trace.js')).traceParts },
  page: { html: async () => (await import('./render/page-html.js')).pageParts },
  'replay-summary': { text: async () => (await import('./render/replay-summary.js')).replaySummaryText },
  'what-if': { text: async () => (await import('./render/what-if.js')).whatIfText, ...data },
  resources: {
    yaml: async () => (await import('./render/get.js')).resourceDocuments,
    json: async () => (await import('./render/get-json.js')).resourcesJson,
    table: async () => (await import('./render/get.js')).resourceTable,
    name: async () => (await import('./render/get-names.js')).resourceNames,
  },
  resolve: { text: async () => (await import('./render/resolution.js')).resolutionText, json },
  bootstrap: {
    text: async () => (await import('./render/bootstrap.js')).bootstrapText,
    json: async () => (await import('./render/bootstrap.js')).bootstrapJson,
    github: async () => (await import('./render/bootstrap.js')).bootstrapAnnotations,
  },
  validate: {
    text: async () => (await import('./render/validate.js')).validateText,
    json: async () => (await import('./render/validate.js')).validateJson,
    junit: async () => (await import('./render/validate.js')).validateJunit,
    github: async () => (await import('./render/validate.js')).validateAnnotations,
  },
  sarif: { sarif: json },
  findings: { text: async () => (await import('./render/findings.js')).findingsText },
  problems: { github: async () => (await import('./render/problem-annotations.js')).problemAnnotations },
  expectations: { yaml: async () => (await import('./render/expectations-file.js')).expectationsFile },
  contexts: {
    table: async () => (await import('./render/contexts.js')).contextsTable,
    ...data,
    name: async () => (await import('./render/contexts.js')).contextNames,
  },
  schemas: {
    table: async () => (await import('./render/schemas.js')).schemasTable,
    ...data,
    name: async () => (await import('./render/schemas.js')).schemaNames,
  },
  schema: { json: async () => (await import('./render/schemas.js')).schemaJson, yaml },
  completion: {
    bash: async () => (await import('./render/completion/bash.js')).bashCompletion,
    zsh: async () => (await import('./render/completion/zsh.js')).zshCompletion,
    fish: async () => (await import('./render/completion/fish.js')).fishCompletion,
  },
  manual: { text: async () => (await import('./render/manual.js')).manualText },
} satisfies FormatTable;

const ndjson = async (): Promise<StreamFormat<object>> => (await import('./render/json.js')).jsonLines;

/** The formats of output that is printed item by item. */
const STREAMS = {
  events: { ndjson: async () => (await import('./render/event-lines.js')).eventJsonLines },
  lines: { lines: async () => (await import('./render/event-lines.js')).eventLines },
  verdicts: { lines: async () => (await import('./render/event-lines.js')).verdictLines },
  'finished-changes': { lines: async () => (await import('./render/event-lines.js')).finishedChangeLines },
  plane: { text: async () => (await import('./render/event-lines.js')).controlPlaneLines, ndjson },
  demoScenario: { text: async () => (await import('./render/demo-scenario.js')).demoScenarioText },
  demo: { text: async () => (await import('./render/demo-steps.js')).demoText },
  'resource-changes': {
    yaml: async () => (await import('./render/get.js')).resourceChangeDocuments,
    ndjson: async () => (await import('./render/get-names.js')).resourceChangeJsonLines,
    json: async () => (await import('./render/get-names.js')).resourceChangeJsonLines,
    name: async () => (await import('./render/get-names.js')).resourceChangeNames,
  },
  changes: {
    ndjson: async () => (await import('./render/event-lines.js')).changeJsonLines,
    table: async () => (await import('./render/event-lines.js')).changeLines,
  },
  'fleet-changes': {
    ndjson: async () => (await import('./render/fleet-changes.js')).fleetChangeJsonLines,
    table: async () => (await import('./render/fleet-changes.js')).fleetChangeLines,
  },
} satisfies StreamTable;

type Table = typeof FORMATS & typeof STREAMS;
export type FormatKind = keyof Table;
export type FormatName<K extends keyof Table> = K extends keyof Table ? keyof Table[K] & string : never;

/** Every pair of kind and format, for tests that cover all of them. */
export function everyFormat(): { kind: keyof Table; format: string }[] {
  return Object.entries({ ...FORMATS, ...STREAMS }).flatMap(([kind, formats]) =>
    Object.keys(formats).map((format) => ({ kind: kind as keyof Table, format })),
  );
}

/** The formats of some documents and streams. */
export function formatsOf<const K extends keyof Table>(...kinds: readonly K[]): FormatName<K>[] {
  const tables: Table = { ...FORMATS, ...STREAMS };
  return [...new Set(kinds.flatMap((kind) => Object.keys(tables[kind]) as FormatName<K>[]))];
}

export function isFormatOf<K extends keyof Table>(kind: K, format: string): format is FormatName<K> {
  const tables: Table = { ...FORMATS, ...STREAMS };
  return Object.hasOwn(tables[kind], format);
}

export async function render<K extends keyof Documents>(
  kind: K,
  format: FormatName<K>,
  document: Documents[K],
  page: Page,
): Promise<string> {
  return [...(await renderParts(kind, format, document, page))].join('');
}

/** The text in parts, which are created one by one. */
export async function renderParts<K extends keyof Documents>(
  kind: K,
  format: FormatName<K>,
  document: Documents[K],
  page: Page,
): Promise<Iterable<string>> {
  const table: Record<string, LoadFormat<Format<Documents[K]>>> = FORMATS[kind] as FormatTable[K];
  const load = table[format] as LoadFormat<Format<Documents[K]>>;
  const text = (await load())(document, page);
  return typeof text === 'string' ? [forPeople(format, text)] : text;
}

export async function renderStream<K extends keyof Streams>(
  kind: K,
  format: FormatName<K>,
  page: Page,
): Promise<(item: Streams[K]) => string> {
  const table: Record<string, LoadFormat<StreamFormat<Streams[K]>>> = STREAMS[kind] as StreamTable[K];
  const load = table[format] as LoadFormat<StreamFormat<Streams[K]>>;
  const text = (await load())(page);
  return (item) => forPeople(format, text(item));
}

/** Formats that people read. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['table', 'wide', 'tree', 'text', 'lines']);

export function isForPeople(format: string): boolean {
  return FOR_PEOPLE.has(format);
}

/** A line may start with a target or a name; data formats quote it. */
function forPeople(format: string, text: string): string {
  return isForPeople(format) ? withoutCommands(text) : text;
}

/** Formats that produce a valid document even if it is empty. */
const DATA: ReadonlySet<string> = new Set(['json', 'yaml', 'ndjson', 'trace', 'html', 'sarif']);

export function isData(format: string): boolean {
  return DATA.has(format);
}

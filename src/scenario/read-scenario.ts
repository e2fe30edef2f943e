import { type LocatedProblem, parseSource, type SourceDocument } from '../base/document.js';
import { Problems } from '../base/problem.js';
import { isMapping, listOf, mapOf, oneOf, record, type Shape, text } from '../base/shape.js';
import { type ActionText, actionFields, actionFrom } from './read-action.js';
import { type ExpectText, expectationFrom, expectFields } from './read-expectation.js';
import { type PatternText, patternFields, patternFrom } from './read-pattern.js';
import { type ReadFile, readResources } from './read-resources.js';
import { type ResourcesByName, responseFields, type ServedTypeText, servedTypeFrom } from './read-response.js';
import { resourceType } from './read-type.js';
import type { Scenario, ServerSpec, ServerState, Step, Trigger } from './scenario.js';

export type ScenarioResult = { ok: true; scenario: Scenario } | { ok: false; problems: LocatedProblem[] };

interface TriggerText extends PatternText {
  request?: string;
  times?: number;
  do?: ActionText[];
}

interface ServerText {
  state?: ServerState;
  serves?: ServedTypeText[];
  on?: TriggerText[];
}

interface StepText extends ActionText {
  server?: string;
  stream?: number;
  expect?: ExpectText;
}

interface ScenarioText {
  title?: string;
  node?: string;
  resources?: Map<string, unknown>;
  servers?: Map<string, ServerText>;
  authorities?: Map<string, string[]>;
  steps?: StepText[];
}

const triggerShape = record<TriggerText>(
  {
    ...patternFields,
    request: resourceType,
    times: (v, p) => count(v, p),
    do: listOf(record<ActionText>(actionFields)),
  },
  ['request', 'do'],
);
const serverShape = record<ServerText>({
  state: oneOf(['listening', 'refusing', 'silent', 'resetting']),
  serves: listOf(record<ServedTypeText>(responseFields, ['type'])),
  on: listOf(triggerShape),
});
const stepShape = record<StepText>({
  ...actionFields,
  server: text,
  stream: (v, p) => count(v, p),
  expect: record<ExpectText>(expectFields),
});
const scenarioShape = record<ScenarioText>({
  title: text,
  node: text,
  resources: mapOf((v: unknown) => v),
  servers: mapOf((v, p) => serverShape(v ?? {}, p)),
  authorities: mapOf(listOf(text)),
  steps: listOf(stepShape),
});

const count: Shape<number> = (value, problems) => {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  return problems.add('expected a positive integer');
};

/** Reads a scenario, and its files with `readFile`. Returns all problems together, with their positions. */
export function readScenario(source: string, readFile: ReadFile): ScenarioResult {
  const document = parseSource(source);
  if (document.problems.length > 0) return { ok: false, problems: document.problems };
  const problems = new Problems();
  if (isMapping(document.value) && '@type' in document.value) {
    problems.add('this is a resource, not a scenario: put it into a folder and serve the folder');
    return { ok: false, problems: document.locate(problems.list) };
  }
  const parsed = scenarioShape(document.value, problems);
  const scenario = parsed && build(parsed, problems, document, readFile);
  if (scenario === undefined || problems.any) return { ok: false, problems: document.locate(problems.list) };
  return { ok: true, scenario };
}

function build(parsed: ScenarioText, problems: Problems, document: SourceDocument, readFile: ReadFile): Scenario {
  const lookup = problems.at('resources', () => readResources(parsed.resources ?? new Map(), readFile, problems));
  if (parsed.servers?.size === 0) problems.addAt(['servers'], 'a scenario needs at least one server');
  const servers = parsed.servers ?? new Map<string, ServerText>([['primary', {}]]);
  const scenario: Scenario = {
    title: parsed.title ?? '',
    nodeId: parsed.node ?? 'xds-inspect',
    servers: problems.at('servers', () =>
      [...servers].map(([name, server]) => problems.at(name, () => buildServer(name, server, lookup, problems))),
    ),
    authorities: parsed.authorities ?? new Map(),
    steps: problems.at('steps', () =>
      (parsed.steps ?? [])
        .map((step, i) => problems.at(i, () => buildStep(step, i, [...servers.keys()], lookup, problems, document)))
        .filter((s) => s !== undefined),
    ),
  };
  const all = [...servers.keys()].join(', ');
  for (const [authority, names] of scenario.authorities) {
    for (const [i, name] of names.entries()) {
      if (servers.has(name)) continue;
      problems.addAt(['authorities', authority, i], `no server "${name}": the scenario has ${all}`);
    }
  }
  return scenario;
}

function buildServer(name: string, server: ServerText, lookup: ResourcesByName, problems: Problems): ServerSpec {
  const triggers = problems.at('on', () =>
    (server.on ?? []).map((trigger, i) => problems.at(i, () => buildTrigger(trigger, lookup, problems))),
  );
  const servedTypes = problems.at('serves', () =>
    (server.serves ?? []).map((servedType, i) => problems.at(i, () => servedTypeFrom(servedType, lookup, problems))),
  );
  servedTypes.forEach((servedType, i) => {
    const first = servedTypes.findIndex((other) => other.typeUrl === servedType.typeUrl);
    if (first < i) problems.addAt(['serves', i], 'this type is served twice');
  });
  return { name, state: server.state ?? 'listening', servedTypes, triggers };
}

function buildTrigger(trigger: TriggerText, lookup: ResourcesByName, problems: Problems): Trigger {
  const actions = (trigger.do ?? []).map((action, i) =>
    problems.at('do', () => problems.at(i, () => actionFrom(action, lookup, problems))),
  );
  return {
    when: patternFrom(trigger.request ?? '', trigger, 'asking'),
    times: trigger.times ?? Number.POSITIVE_INFINITY,
    actions: actions.filter((a) => a !== undefined),
  };
}

function buildStep(
  step: StepText,
  index: number,
  servers: string[],
  lookup: ResourcesByName,
  problems: Problems,
  document: SourceDocument,
): Step | undefined {
  const { server = servers[0] as string, stream, expect, ...action } = step;
  if (!servers.includes(server))
    problems.addAt(['server'], `no server "${server}": the scenario has ${servers.join(', ')}`);
  const line = document.locate([{ path: ['steps', index], message: '' }])[0]?.line ?? 0;
  if (expect === undefined) {
    const what = actionFrom(action, lookup, problems);
    return what && { server, stream, line, what };
  }
  if (Object.keys(action).length > 0) problems.add('a step with "expect" cannot have an action');
  const expectation = problems.at('expect', () => expectationFrom(expect, problems));
  return expectation && { server, stream, line, what: { kind: 'expect', expectation } };
}

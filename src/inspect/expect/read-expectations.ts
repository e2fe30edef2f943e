import { type LocatedProblem, parseSource } from '../../base/document.js';
import { type PathStep, Problems } from '../../base/problem.js';
import {
  addMismatch,
  duration,
  flag,
  listOf,
  oneOf,
  record,
  type Shape,
  type ShapeValue,
  text,
} from '../../base/shape.js';
import { checkConnecting, connectingFields, connectingKey, connectionOf } from '../../bootstrap/connection-settings.js';
import { serverAddress } from '../../bootstrap/target.js';
import { FORBIDDEN } from './evaluate-findings.js';
import { expectationName } from './expectation-name.js';
import type { CheckFile, DrillSpec, Expectation, ExpectedFact, FilePosition, TargetCheck } from './expectations.js';
import { expectsFailure } from './expected-failure.js';
import { findings } from './read-findings.js';
import { resourceExpectations, resources } from './read-resource.js';
import { checkServed, rpc, rpcExpectation } from './read-rpc.js';

export type CheckFileResult = { ok: true; file: CheckFile } | { ok: false; problems: LocatedProblem[] };

/** The defaults of a drill: a resource timer to become ready, and a reconnect backoff to return to the primary. */
const READY_WITHIN = 15_000;
const BACK_WITHIN = 30_000;

/** Keys that are valid at the top level for all targets, and in each target. */
const sharedFields = {
  ...connectingFields,
  node_id: text,
  observe: duration,
  settled_within: duration,
  max_tear: duration,
  never: listOf(oneOf(['NACKED', 'DOES_NOT_EXIST', 'RECEIVED_ERROR', 'TIMEOUT'])),
  findings,
};

const drillShape = record({ drop: text, ready_within: duration, back_within: duration });

/** `fallback_drill: true` uses all defaults. */
const drill: typeof drillShape = (value, problems) => (value === true ? {} : drillShape(value, problems));

const targetName: Shape<string> = (value, problems) => {
  if (typeof value === 'string' && value !== '') return value;
  return addMismatch(problems, 'a target such as xds:///greeter', value);
};

/** Without `unknown`, which only targets of another process (CSDS) can have. */
const EXPECTED_VERDICTS = ['ok', 'partly', 'fails', 'waiting', 'any'] as const;

const targetShape = record(
  {
    ...sharedFields,
    target: targetName,
    default_authority: text,
    ready: flag,
    verdict: oneOf(EXPECTED_VERDICTS),
    resources,
    rpcs: listOf(rpc),
    fallback_drill: drill,
  },
  ['target'],
);

const version: Shape<1> = (value, problems) => {
  return value === 1 ? value : addMismatch(problems, '1, the only supported format version', value);
};

const fileShape = record(
  {
    ...sharedFields,
    version,
    timeout: duration,
    targets: listOf((value, problems) =>
      typeof value === 'string' ? targetShape({ target: value }, problems) : targetShape(value, problems),
    ),
  },
  ['targets'],
);

type FileText = ShapeValue<typeof fileShape>;
type TargetText = ShapeValue<typeof targetShape>;

/** Reads an expectations file. Reports all problems together, with their positions. */
export function readExpectations(source: string): CheckFileResult {
  const document = parseSource(source);
  if (document.problems.length > 0) return { ok: false, problems: document.problems };
  const problems = new Problems();
  const parsed = fileShape(document.value, problems);
  const placeOf = (path: readonly PathStep[]): FilePosition => {
    const { line = 1, column = 1 } = document.locate([{ path, message: '' }])[0] ?? {};
    return { line, column };
  };
  const file = parsed && new FileBuilder(parsed, problems, placeOf).build();
  if (file === undefined || problems.any) return { ok: false, problems: document.locate(problems.list) };
  return { ok: true, file };
}

/** Undefined if any verdict is accepted. */
function verdictExpectation({ verdict, ready }: TargetText, isFailureExpected: boolean): ExpectedFact | undefined {
  if (verdict !== undefined) return verdict === 'any' ? undefined : { kind: 'verdict', verdicts: [verdict] };
  if (ready === false) return { kind: 'verdict', verdicts: ['fails', 'waiting'] };
  return isFailureExpected ? { kind: 'configured' } : { kind: 'verdict', verdicts: ['ok'] };
}

class FileBuilder {
  readonly #parsed: FileText;
  readonly #problems: Problems;
  readonly #placeOf: (path: readonly PathStep[]) => FilePosition;

  constructor(parsed: FileText, problems: Problems, placeOf: (path: readonly PathStep[]) => FilePosition) {
    this.#parsed = parsed;
    this.#problems = problems;
    this.#placeOf = placeOf;
  }

  build(): CheckFile {
    const { targets = [], timeout, node_id: nodeId } = this.#parsed;
    checkConnecting(this.#parsed, this.#problems);
    if (this.#parsed.targets?.length === 0)
      this.#problems.at('targets', () => this.#problems.add('a file needs at least one target'));
    return {
      connecting: connectionOf(this.#parsed),
      connectingAt: this.#placeOf([connectingKey(this.#parsed)]),
      nodeId,
      timeout,
      targets: this.#problems.at('targets', () =>
        targets.map((target, i) => this.#problems.at(i, () => this.#target(target, ['targets', i]))),
      ),
    };
  }

  #target(wanted: TargetText, path: readonly PathStep[]): TargetCheck {
    const { target = '' } = wanted;
    checkConnecting(wanted, this.#problems);
    if ('ready' in wanted && 'verdict' in wanted)
      this.#problems.at('ready', () => this.#problems.add('"verdict" and "ready" exclude each other'));
    const expectation = (what: ExpectedFact, subPath: readonly PathStep[]): Expectation => {
      return { name: expectationName(what), at: this.#placeOf(subPath), ...what };
    };
    const whole: Expectation[] = [];
    const parts: Expectation[] = [];
    this.#addTargetExpectations(wanted, path, (what, subPath) => whole.push(expectation(what, subPath)));
    this.#addPartExpectations(wanted, path, (what, subPath) => parts.push(expectation(what, subPath)));
    const verdict = verdictExpectation(wanted, !this.#problems.any && parts.some(expectsFailure));
    const verdictKey = 'verdict' in wanted ? 'verdict' : 'ready' in wanted ? 'ready' : 'target';
    return {
      target,
      at: this.#placeOf([...path, 'target']),
      connecting: connectionOf(wanted),
      connectingAt: this.#placeOf([...path, connectingKey(wanted)]),
      nodeId: wanted.node_id,
      defaultAuthority: wanted.default_authority,
      observe: wanted.observe ?? this.#parsed.observe ?? 0,
      // The verdict comes first: other expectations depend on it.
      expectations: [...(verdict ? [expectation(verdict, [...path, verdictKey])] : []), ...whole, ...parts],
      drill: wanted.fallback_drill && this.#drill(wanted.fallback_drill, [...path, 'fallback_drill']),
    };
  }

  /** Adds the expectations about the whole target. The top level of the file has the defaults. */
  #addTargetExpectations(
    wanted: TargetText,
    path: readonly PathStep[],
    add: (what: ExpectedFact, subPath: readonly PathStep[]) => void,
  ) {
    const shared = <K extends keyof typeof sharedFields>(key: K): [FileText[K], readonly PathStep[]] =>
      wanted[key] === undefined ? [this.#parsed[key], [key]] : [wanted[key], [...path, key]];
    const [within, withinAt] = shared('settled_within');
    if (within !== undefined) add({ kind: 'settled', within }, withinAt);
    const [longest, longestAt] = shared('max_tear');
    if (longest !== undefined) add({ kind: 'tears', longest }, longestAt);
    const [never = [], neverAt] = shared('never');
    for (const [i, status] of never.entries()) add({ kind: 'never', status }, [...neverAt, i]);
    const [{ forbid = FORBIDDEN, allow = [] } = {}, findingsAt] = shared('findings');
    const isExplicit = (wanted.findings ?? this.#parsed.findings) !== undefined;
    if (forbid.length > 0) add({ kind: 'findings', forbid, allow }, isExplicit ? findingsAt : [...path, 'target']);
  }

  #addPartExpectations(
    wanted: TargetText,
    path: readonly PathStep[],
    add: (what: ExpectedFact, subPath: readonly PathStep[]) => void,
  ) {
    const problems = this.#problems;
    problems.at('resources', () => {
      for (const [key, one] of wanted.resources ?? [])
        problems.at(key, () =>
          resourceExpectations(key, one, problems, (what, subPath) =>
            add(what, [...path, 'resources', key, ...subPath]),
          ),
        );
    });
    const isServer = wanted.target !== undefined && serverAddress(wanted.target) !== undefined;
    for (const [i, one] of (wanted.rpcs ?? []).entries()) {
      if (isServer) problems.at('rpcs', () => problems.at(i, () => checkServed(one, problems)));
      add(rpcExpectation(one), [...path, 'rpcs', i]);
    }
  }

  #drill(wanted: ShapeValue<typeof drill>, path: readonly PathStep[]): DrillSpec {
    return {
      at: this.#placeOf(path),
      drop: wanted.drop ?? 'primary',
      readyWithin: wanted.ready_within ?? READY_WITHIN,
      backWithin: wanted.back_within ?? BACK_WITHIN,
    };
  }
}

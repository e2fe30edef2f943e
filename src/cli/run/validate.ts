import { readFileSync, statSync } from 'node:fs';
import { formatPath } from '../../base/problem.js';
import { PRESETS } from '../../bootstrap/presets.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { filesBelow } from '../../io/resource-directory.js';
import { RULES } from '../../peers/rules/index.js';
import { type ResourceContext, readResourceSwitches } from '../../resources/context.js';
import { type ResourceReport, type ResponseReport, reportOn } from '../../resources/files/report.js';
import { readBinaryFile, readTextFile } from '../../resources/files/resource-file.js';
import { githubAnnotation } from '../../view/render/annotation.js';
import { jsonText } from '../../view/render/json.js';
import { junit } from '../../view/render/junit.js';
import { paintFor } from '../../view/render/paint.js';
import { type UnreadableFile, validateText } from '../../view/render/validate.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { findBootstrap } from './bootstrap-source.js';
import { reason } from './load-scenario.js';
import { readSuppressed } from './suppressed.js';

const RESOURCE_FILE = /\.(ya?ml|json|binpb|pb)$/i;
const BINARY = /\.(binpb|pb)$/i;
const SEVERITIES = ['error', 'warning', 'note'];

interface Outcome {
  responses: ResponseReport[];
  unreadable: UnreadableFile[];
}

/** `validate`: every file is judged, whatever is wrong with the others. */
export async function validate(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const noteCodes = RULES.map(({ code }) => code);
  const suppressed = readSuppressed(args, env, noteCodes);
  const context = await contextFor(args, env);
  const outcome: Outcome = { responses: [], unreadable: [] };
  for (const typed of args.files as string[]) {
    for (const source of await sourcesOf(typed, outcome)) await judge(source, context, outcome, env);
  }
  const shown = withoutSuppressed(outcome, suppressed);
  await print(shown, args, env);
  return exitCode(shown, args);
}

/** What the bootstrap and the environment say. No bootstrap is needed; without one, providers cannot be checked. */
async function contextFor(args: Arguments, env: CliEnvironment): Promise<ResourceContext> {
  const preset = args.as as Preset;
  const context: ResourceContext = {
    switches: readResourceSwitches(env.variables, PRESETS[preset].switches.dataErrorHandling),
    certificateProviders: undefined,
    trustedServer: false,
    allowedGrpcServices: new Set(),
    interfaces: interfacesByName(),
  };
  const { GRPC_XDS_BOOTSTRAP, GRPC_XDS_BOOTSTRAP_CONFIG } = env.variables;
  const typed = args.bootstrap as string | undefined;
  if (typed === undefined && GRPC_XDS_BOOTSTRAP === undefined && GRPC_XDS_BOOTSTRAP_CONFIG === undefined)
    return context;
  const source = await findBootstrap(typed, env);
  if (source.kind === 'unreadable') throw new Failure(EXIT.badInput, source.explanation);
  const read = readBootstrap(source.bytes, readSwitches(env.variables, preset));
  if (!read.ok) {
    const hint = `see: ${env.program} bootstrap validate ${typed ?? ''}`.trimEnd();
    throw new Failure(EXIT.badInput, `${source.name}: gRPC rejects this bootstrap: ${read.message}\n${hint}`);
  }
  const { certificateProviders, servers, allowedGrpcServices } = read.bootstrap;
  return {
    ...context,
    certificateProviders: new Set(certificateProviders.keys()),
    trustedServer: servers[0]?.features.has('trusted_xds_server') ?? false,
    allowedGrpcServices: new Set(allowedGrpcServices.keys()),
  };
}

/** A folder stands for the resource files below it. */
async function sourcesOf(typed: string, outcome: Outcome): Promise<string[]> {
  if (typed === '-') return [typed];
  try {
    if (!statSync(typed).isDirectory()) return [typed];
    const files = await filesBelow(typed, RESOURCE_FILE);
    if (files.length === 0) fail(outcome, typed, 'no resource files below: *.yaml, *.yml, *.json, *.binpb or *.pb');
    return files;
  } catch (error) {
    fail(outcome, typed, `cannot be read: ${reason(error)}`);
    return [];
  }
}

async function judge(source: string, context: ResourceContext, outcome: Outcome, env: CliEnvironment): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = source === '-' ? await env.readStdin() : readFileSync(source);
  } catch (error) {
    fail(outcome, source, `cannot be read: ${reason(error)}`);
    return;
  }
  const content = BINARY.test(source) ? readBinaryFile(bytes) : readTextFile(new TextDecoder().decode(bytes));
  if (content.ok) outcome.responses.push(...reportOn(source, content, context));
  else {
    const problems = content.problems.map(({ path, ...problem }) => ({ path: formatPath(path), ...problem }));
    outcome.unreadable.push({ source, problems });
  }
}

function fail(outcome: Outcome, source: string, message: string): void {
  outcome.unreadable.push({ source, problems: [{ path: '', message, line: 1, column: 1 }] });
}

function withoutSuppressed({ responses, unreadable }: Outcome, suppressed: ReadonlySet<string>): Outcome {
  const keep = (resource: ResourceReport): ResourceReport => ({
    ...resource,
    ignored: suppressed.has('XI101') ? [] : resource.ignored,
    findings: resource.findings.filter(({ code }) => !suppressed.has(code)),
    notes: resource.notes.filter(({ code }) => !suppressed.has(code) && !suppressed.has('XI104')),
  });
  return { responses: responses.map((one) => ({ ...one, resources: one.resources.map(keep) })), unreadable };
}

async function print({ responses, unreadable }: Outcome, args: Arguments, env: CliEnvironment): Promise<void> {
  const { stdout } = env;
  if (args.output === 'json') {
    const document = { schema: 'xds-inspect/validate/v1', as: args.as, responses, unreadable };
    stdout.write(jsonText(document));
  } else if (args.output === 'junit') stdout.write(junit(junitSuites(responses, unreadable)));
  else if (args.output === 'github') {
    for (const { source, annotation } of annotations(responses, unreadable)) {
      stdout.write(githubAnnotation(source, annotation));
    }
  } else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, stdout));
    stdout.write(validateText(responses, unreadable, paint));
  }
}

function junitSuites(responses: ResponseReport[], unreadable: UnreadableFile[]): Parameters<typeof junit>[0] {
  const suites = new Map<string, Parameters<typeof junit>[0][number]>();
  const suiteOf = (name: string): Parameters<typeof junit>[0][number] => {
    const suite = suites.get(name) ?? { name, cases: [] };
    suites.set(name, suite);
    return suite;
  };
  const say = ({
    path,
    message,
    line,
    column,
  }: {
    path: string;
    message: string;
    line: number;
    column: number;
  }): string => `${line}:${column} ${path === '' ? message : `${path}: ${message}`}`;
  for (const { source, problems } of unreadable) {
    suiteOf(source).cases.push({ name: 'readable', failures: problems.map(say), remarks: [] });
  }
  for (const { source, type, resources } of responses) {
    for (const { name, problems, ignored, findings, notes } of resources) {
      const errors = findings.filter(({ severity }) => severity === 'error');
      suiteOf(source).cases.push({
        name: `${type} ${name}`,
        failures: [...problems, ...errors].map(say),
        remarks: [
          ...ignored.map((part) => say({ ...part, message: `ignored: ${part.reason}` })),
          ...notes.map((n) => n.message),
        ],
      });
    }
  }
  return [...suites.values()];
}

type Annotation = Parameters<typeof githubAnnotation>[1];

function annotations(
  responses: ResponseReport[],
  unreadable: UnreadableFile[],
): { source: string; annotation: Annotation }[] {
  return [
    ...unreadable.flatMap(({ source, problems }) =>
      problems.map((problem) => ({
        source,
        annotation: { ...problem, code: 'unreadable', severity: 'error' as const },
      })),
    ),
    ...responses.flatMap(({ source, resources }) =>
      resources.flatMap((resource) => resourceAnnotations(resource).map((annotation) => ({ source, annotation }))),
    ),
  ];
}

function resourceAnnotations({ problems, ignored, findings, notes }: ResourceReport): Annotation[] {
  return [
    ...problems.map((problem) => ({ ...problem, code: 'XI100', severity: 'error' as const })),
    ...ignored.map((part) => ({ ...part, message: part.reason, code: 'XI101', severity: 'warning' as const })),
    ...findings,
    ...notes.map((note) => ({ ...note, severity: 'note' as const })),
  ];
}

function exitCode({ responses, unreadable }: Outcome, args: Arguments): ExitCode {
  if (unreadable.length > 0) return EXIT.badInput;
  if (responses.some(({ verdict }) => verdict === 'NACK')) return EXIT.findings;
  const threshold = SEVERITIES.indexOf(args.failureThreshold as string);
  const worst = responses
    .flatMap((response) => response.resources)
    .flatMap(resourceAnnotations)
    .map(({ severity }) => SEVERITIES.indexOf(severity));
  return worst.some((severity) => severity <= threshold) ? EXIT.findings : EXIT.ok;
}

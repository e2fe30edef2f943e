import { readFileSync, statSync } from 'node:fs';
import type { Severity } from '../../base/finding.js';
import type { Bootstrap } from '../../bootstrap/bootstrap.js';
import { readBootstrap } from '../../bootstrap/read-bootstrap.js';
import { type Preset, readSwitches } from '../../bootstrap/switches.js';
import { contextOf } from '../../inspect/validate/context.js';
import {
  type FilesReport,
  findingsOf,
  joinReports,
  outcomeOf,
  suppressIn,
  unreadableFile,
  validateFile,
} from '../../inspect/validate/files.js';
import { interfacesByName } from '../../io/network-interfaces.js';
import { filesBelow } from '../../io/resource-directory.js';
import { type ResourceContext, readResourceSwitches } from '../../resources/context.js';
import { githubAnnotations } from '../../view/render/annotation.js';
import { jsonText } from '../../view/render/json.js';
import { junit } from '../../view/render/junit.js';
import { paintFor } from '../../view/render/paint.js';
import { validateText } from '../../view/render/validate.js';
import { validateDocument, validateSuites } from '../../view/validate.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { findBootstrap } from './bootstrap-source.js';
import { reason } from './load-scenario.js';
import { readSuppressed } from './suppressed.js';

const RESOURCE_FILE = /\.(ya?ml|json|binpb|pb)$/i;
const EXITS = { success: EXIT.ok, findings: EXIT.findings, unreadable: EXIT.badInput };

/** `validate`: every file is validated, whatever is wrong with the others. */
export async function validate(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const suppressed = readSuppressed(args);
  const context = contextOf(await bootstrapFor(args, env), {
    switches: readResourceSwitches(env.variables, args.as === 'spec'),
    interfaces: interfacesByName(),
  });
  const reports: FilesReport[] = [];
  for (const typed of args.files as string[]) reports.push(...(await validateAt(typed, context, env)));
  const report = suppressIn(joinReports(reports), suppressed);
  env.stdout.write(await textOf(report, args, env));
  return EXITS[outcomeOf(report, args.failureThreshold as Severity)];
}

async function textOf(report: FilesReport, args: Arguments, env: CliEnvironment): Promise<string> {
  if (args.output === 'json') return jsonText(validateDocument(report, args.as as Preset));
  if (args.output === 'junit') return junit(validateSuites(report));
  if (args.output === 'github') return githubAnnotations(findingsOf(report));
  return validateText(report, await paintFor(useColor(args.color as ColorChoice, env, env.stdout)));
}

/** No bootstrap is needed. */
async function bootstrapFor(args: Arguments, env: CliEnvironment): Promise<Bootstrap | undefined> {
  const { GRPC_XDS_BOOTSTRAP, GRPC_XDS_BOOTSTRAP_CONFIG } = env.variables;
  const typed = args.bootstrap as string | undefined;
  if ((typed ?? GRPC_XDS_BOOTSTRAP ?? GRPC_XDS_BOOTSTRAP_CONFIG) === undefined) return undefined;
  const source = await findBootstrap(typed, env);
  if (source.kind === 'unreadable') throw new Failure(EXIT.badInput, source.explanation);
  const read = readBootstrap(source.bytes, readSwitches(env.variables, args.as as Preset));
  if (read.ok) return read.bootstrap;
  const hint = `see: ${env.program} bootstrap validate ${typed ?? ''}`.trimEnd();
  throw new Failure(EXIT.badInput, `${source.name}: gRPC rejects this bootstrap: ${read.message}\n${hint}`);
}

/** A folder stands for the resource files below it. */
async function validateAt(typed: string, context: ResourceContext, env: CliEnvironment): Promise<FilesReport[]> {
  const failed = (source: string, error: unknown): FilesReport =>
    unreadableFile(source, `cannot be read: ${reason(error)}`);
  let sources = [typed];
  try {
    if (typed !== '-' && statSync(typed).isDirectory()) sources = await filesBelow(typed, RESOURCE_FILE);
  } catch (error) {
    return [failed(typed, error)];
  }
  if (sources.length === 0)
    return [unreadableFile(typed, 'no resource files below: *.yaml, *.yml, *.json, *.binpb or *.pb')];
  const reports: FilesReport[] = [];
  for (const source of sources) {
    const read = await readSource(source, env).catch((error: unknown) => failed(source, error));
    reports.push(read instanceof Uint8Array ? validateFile(source, read, context) : read);
  }
  return reports;
}

async function readSource(source: string, env: CliEnvironment): Promise<Uint8Array> {
  return source === '-' ? env.readStdin() : readFileSync(source);
}

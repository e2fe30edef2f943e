import { fromBase64 } from '../../base/base64.js';
import { seededRandom } from '../../base/random.js';
import { hasLostAuthority } from '../../engine/lost.js';
import type { Call } from '../../routing/match.js';
import type { TimeoutRules } from '../../routing/timeout.js';
import { explainView } from '../../view/explain.js';
import type { ExplainView } from '../../view/explain-view.js';
import { type FindingView, findingViews } from '../../view/finding.js';
import { explainText } from '../../view/render/explain.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { fitLines } from '../../view/render/wrap.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, widthOf } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { printFound } from './found.js';
import { inspect } from './inspection.js';
import { reporting, tellUnanswered } from './no-answer.js';
import { Progress } from './progress.js';
import { settled, timeLimit } from './settling.js';

/** `explain`: what an RPC would get, as things stand when nothing changes any more. */
export async function explain(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const call = readCall(args);
  if (args.deadline === 0) throw new Failure(EXIT.usage, '--deadline 0s leaves no time for anything');
  const began = env.clock.now();
  const inspection = await inspect(args, env);
  const limit = timeLimit(args, inspection);
  const progress = new Progress(args, env, limit);
  const end = await settled(inspection, limit, env, () => progress.show(inspection));
  progress.clear();
  const options = {
    call,
    deadlineMs: args.deadline as number | undefined,
    rules: args.timeoutRules as TimeoutRules,
    nodeId: inspection.bootstrap.node?.id,
    random: seededRandom(1),
    serverAuthority: args.defaultAuthority as string | undefined,
  };
  const snapshot = inspection.snapshot();
  const views = snapshot.flatMap((scope) => scope.channels.map((channel) => explainView(scope, channel, options)));
  const isLost = snapshot.some(hasLostAuthority);
  const found = findingViews(inspection.findings());
  inspection.close();
  const told = reporting(snapshot, args.output, env);
  await printExplanations(views, found, args, told);
  // The report has it as a hint.
  if (told.stdout !== env.stderr) tellUnanswered(snapshot, env.clock.now() - began, env);
  if (end === 'interrupted') return EXIT.interrupted;
  if (views.every(isGood)) return EXIT.ok;
  if (isLost) return EXIT.unavailable;
  return end === 'timed out' && views.some(({ outcome }) => outcome === 'waits') ? EXIT.timedOut : EXIT.findings;
}

/** Nothing is in the way of any share of the calls, as far as can be told. */
export function isGood({ outcome, paths }: ExplainView): boolean {
  return (
    (outcome === 'ok' || outcome === 'unknown') &&
    paths.every((path) => path.outcome === 'ok' || path.outcome === 'unknown')
  );
}

export function readCall(args: Arguments): Call {
  const path = (args.method as string | undefined) ?? '/';
  if (path !== '/' && !/^\/[^/]+\/[^/]+$/.test(path)) {
    throw new Failure(EXIT.usage, `--method takes /package.Service/Method, not "${path}"`);
  }
  return { path, metadata: ((args.header as string[] | undefined) ?? []).map(readHeader) };
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':', 1);
  const name = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !/^[0-9a-z_.-]+$/.test(name)) {
    throw new Failure(EXIT.usage, `--header takes name:value, not "${text}"`);
  }
  const value = text.slice(colon + 1).trim();
  if (name.endsWith('-bin') && fromBase64(value) === undefined) {
    throw new Failure(EXIT.usage, `--header ${name}: a binary value is given in base64, and "${value}" is not`);
  }
  return [name, value];
}

export async function printExplanations(
  views: readonly ExplainView[],
  found: readonly FindingView[],
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const documents = views.map((view) => {
    const findings = found.filter(({ scope }) => scope === view.scope);
    return { schema: 'xds-inspect/explain/v1', as: args.as, ...view, findings };
  });
  if (args.output === 'json') {
    const [only] = documents;
    env.stdout.write(jsonText(documents.length === 1 ? only : documents));
  } else if (args.output === 'yaml') {
    const { yamlText } = await import('../../view/render/yaml.js');
    env.stdout.write(documents.map(yamlText).join('---\n'));
  } else {
    const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
    env.stdout.write(fitLines(views.map((view) => explainText(view, paint)).join('\n'), widthOf(env.stdout)));
    await printFound(found, args, env);
  }
}

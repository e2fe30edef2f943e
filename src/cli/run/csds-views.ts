import { seededRandom } from '../../base/random.js';
import type { FollowedDump } from '../../csds/follow-dump.js';
import type { JudgedDump } from '../../csds/judge-dump.js';
import type { TimeoutRules } from '../../routing/timeout.js';
import { configView } from '../../view/config.js';
import { explainView } from '../../view/explain.js';
import { remoteStatus } from '../../view/remote-status.js';
import { jsonText } from '../../view/render/json.js';
import { paintFor } from '../../view/render/paint.js';
import { statusText } from '../../view/render/status.js';
import { type ScopeStatus, stateOf } from '../../view/status.js';
import { visible } from '../../view/visible-text.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { printConfigs, printServiceConfigs } from './config.js';
import { csdsJson } from './csds-json.js';
import type { RemoteAnswer } from './csds-source.js';
import { isGood, printExplanations, readCall } from './explain.js';
import type { Listing } from './listing.js';
import { textOptions } from './status.js';

type View = 'status' | 'config' | 'explain' | 'check';

/** The first is the one for people. */
const FORMATS: Record<View, readonly string[]> = {
  status: ['table', 'wide', 'json', 'yaml', 'ndjson', 'name', 'csds'],
  config: ['tree', 'wide', 'json', 'yaml', 'dot', 'mermaid', 'service-config'],
  explain: ['text', 'json', 'yaml'],
  check: ['text', 'json', 'junit', 'github', 'tap'],
};

/** How a view is to be printed. */
export function readFormat(args: Arguments): string {
  const view = args.view as View;
  const formats = FORMATS[view];
  const output = (args.output as string | undefined) ?? (formats[0] as string);
  if (!formats.includes(output))
    throw new Failure(EXIT.usage, `--view ${view} is printed as ${formats.join(', ')}, not ${output}`);
  return output;
}

/** Prints what was read in the view that was asked for; what it says about it, for the exit code. */
export async function printView(
  answers: readonly RemoteAnswer[],
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const view = args.view as View;
  const formatted = { ...args, output: readFormat(args) };
  if (view === 'check') return (await import('./csds-check.js')).printCheck(answers, formatted, env);
  const print = { status: printStatus, config: printConfig, explain: printExplain }[view];
  return print(answers, listing, formatted, env);
}

/** Every client of every process, in one list. */
export function statusOf(
  answers: readonly RemoteAnswer[],
  { isShown }: Listing,
  contentsOf?: (typeUrl: string, bytes: Uint8Array) => unknown,
): ScopeStatus[] {
  return answers.flatMap(({ address, clients }) =>
    clients.map(({ judged, snapshot }) =>
      remoteStatus(judged, snapshot, {
        address,
        isShown: (resource) => isShown({ ...resource, status: stateOf(resource) }),
        contentsOf,
      }),
    ),
  );
}

async function printStatus(
  answers: readonly RemoteAnswer[],
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const hasContents = args.output === 'json' || args.output === 'yaml';
  const scopes = statusOf(answers, listing, hasContents ? await contentsPrinter(args) : undefined);
  await writeStatus(scopes, answers, listing, args, env);
  const isFinding = scopes.some(({ resources }) => resources.some((one) => listing.failing.has(stateOf(one))));
  return isFinding ? EXIT.findings : EXIT.ok;
}

async function contentsPrinter(args: Arguments): Promise<(typeUrl: string, bytes: Uint8Array) => unknown> {
  const { printAny } = await import('../../proto/json/print.js');
  const { xdsCatalogue } = await import('../../proto/json/catalogue.js');
  const options = { showSecrets: args.showSecrets === true };
  return (typeUrl, bytes) => printAny(xdsCatalogue, typeUrl, bytes, options);
}

async function writeStatus(
  scopes: readonly ScopeStatus[],
  answers: readonly RemoteAnswer[],
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<void> {
  const write = (text: string): void => env.stdout.write(text);
  const document = { schema: 'xds-inspect/status/v1', as: args.as, scopes, unread: unreadOf(answers) };
  switch (args.output) {
    case 'json':
      return write(jsonText(document));
    case 'yaml':
      return write((await import('../../view/render/yaml.js')).yamlText(document));
    case 'name':
      for (const { resources } of scopes)
        for (const { type, name } of resources) write(`${visible(`${type}/${name}`)}\n`);
      return;
    case 'csds': {
      const isShown = ({ type, name, state }: { type: string; name: string; state: string }): boolean =>
        listing.isShown({ type, name, status: state });
      const json = await csdsJson(answers, isShown, args.showSecrets === true);
      return write(jsonText(json));
    }
    default: {
      const paint = await paintFor(useColor(args.color as ColorChoice, env, env.stdout));
      const options = textOptions(args, env, undefined);
      write(scopes.map((scope) => statusText(scope, options, paint)).join('\n'));
    }
  }
}

function unreadOf(answers: readonly RemoteAnswer[]): { address: string; error: string }[] {
  return answers.flatMap(({ address, problems }) => problems.map((error) => ({ address, error })));
}

async function printConfig(
  answers: readonly RemoteAnswer[],
  _listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const views = answers.flatMap(({ address, clients }) =>
    clients.flatMap(({ judged, snapshot }) =>
      snapshot.channels.map((channel) => ({ address, ...configView(snapshot, channel, judged.dump.node?.id) })),
    ),
  );
  if (args.output === 'service-config') {
    printServiceConfigs(
      answers.flatMap(({ clients }) => clients.map(({ snapshot }) => snapshot)),
      env,
    );
  } else await printConfigs(isForPeople(args.output) ? views.map(named) : views, [], args, env);
  const isLacking = tellUnfollowed(answers, env) || views.length === 0;
  return !isLacking && views.every(({ config }) => config === 'published') ? EXIT.ok : EXIT.findings;
}

function isForPeople(output: unknown): boolean {
  return output === 'tree' || output === 'wide';
}

/** For people, who see no more of it than its target. */
function named<View extends { address: string; target: string }>(view: View): View {
  return { ...view, target: `${view.address} / ${view.target}` };
}

async function printExplain(
  answers: readonly RemoteAnswer[],
  _listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const call = readCall(args);
  const views = answers.flatMap(({ address, clients }) =>
    clients.flatMap(({ judged, snapshot }) =>
      snapshot.channels.map((channel) => ({
        address,
        ...explainView(snapshot, channel, {
          call,
          deadlineMs: args.deadline as number | undefined,
          rules: args.timeoutRules as TimeoutRules,
          nodeId: judged.dump.node?.id,
          random: seededRandom(1),
          serverAuthority: args.defaultAuthority as string | undefined,
        }),
      })),
    ),
  );
  await printExplanations(args.output === 'text' ? views.map(named) : views, [], args, env);
  const isLacking = tellUnfollowed(answers, env) || views.length === 0;
  return !isLacking && views.every(isGood) ? EXIT.ok : EXIT.findings;
}

/** Targets of which no configuration can be put together, and why; says whether there are any. */
function tellUnfollowed(answers: readonly RemoteAnswer[], env: CliEnvironment): boolean {
  const told = answers.flatMap(({ address, clients }) =>
    clients.flatMap(({ judged, snapshot }) => unfollowedOf(judged, snapshot).map((line) => `${address}${line}`)),
  );
  for (const line of told) env.stderr.write(`${visible(line)}\n`);
  return told.length > 0;
}

function unfollowedOf({ refusals }: JudgedDump, { scope, channels, unfollowed }: FollowedDump): string[] {
  if (unfollowed.length === 0 && channels.length === 0) {
    return [`${scope === '' ? '' : ` / ${scope}`}: no target can be followed: it has no listener`];
  }
  return unfollowed.map(({ target, type, name, isListed }) => {
    const why = !isListed
      ? `it needs ${type} "${name}", which is not among its resources (its authority may be missing in the bootstrap)`
      : refusals.size > 0
        ? 'it holds resources that gRPC (C-core) would refuse'
        : 'what its resources hold is not told';
    return ` / ${target}: cannot be followed: ${why}`;
  });
}

/** Why something is missing, or why there is nothing to see. */
export function tellProblems({ address, problems, clients, isDead }: RemoteAnswer, env: CliEnvironment): void {
  for (const problem of problems) env.stderr.write(`${visible(`${address}: ${problem}`)}\n`);
  if (!isDead && clients.length === 0) {
    env.stderr.write(`${visible(address)}: no xDS client runs in this process\n`);
  }
}

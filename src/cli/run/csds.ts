import { REMOTE_STATES } from '../../csds/remote-states.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { CsdsSources, type RemoteAnswer } from './csds-source.js';
import { printView, readFormat, tellProblems } from './csds-views.js';
import { watchSources } from './csds-watch.js';
import { readCall } from './explain.js';
import { type Listing, readListing } from './listing.js';

/** `csds`: what other processes say of their xDS clients. */
export async function csds(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const listing = readListing(args, REMOTE_STATES);
  checkUse(args);
  const sources = new CsdsSources(args, env);
  try {
    return args.watch === true
      ? await watchSources(sources, listing, args, env)
      : await readOnce(sources, listing, args, env);
  } finally {
    sources.close();
  }
}

/** For people each process is printed when it has answered; a document waits for all. */
async function readOnce(
  sources: CsdsSources,
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const isDocument = args.view === 'check' || !PIECEMEAL.has(readFormat(args));
  const answers: RemoteAnswer[] = [];
  const codes: ExitCode[] = [];
  const take = async (address: string): Promise<void> => {
    const answer = await sources.fetch(address);
    tellProblems(answer, env);
    answers.push(answer);
    if (isDocument || answer.isDead) return;
    if (codes.length > 0 && hasGroups(args)) env.stdout.write('\n');
    codes.push(await printView([answer], listing, args, env));
  };
  const end = await unlessInterrupted(Promise.all(sources.addresses.map(take)), env);
  if (isDocument) codes.push(await printView(inOrder(answers, sources), listing, args, env));
  if (end === 'interrupted') return EXIT.interrupted;
  if (answers.some(({ problems }) => problems.length > 0)) return EXIT.unavailable;
  return codes.find((code) => code !== EXIT.ok) ?? EXIT.ok;
}

/** Formats that can be printed piece by piece. */
const PIECEMEAL: ReadonlySet<string> = new Set(['table', 'wide', 'tree', 'text', 'name', 'dot', 'mermaid']);

/** Groups with an empty line between them. */
function hasGroups(args: Arguments): boolean {
  return ['table', 'wide', 'tree', 'text'].includes(readFormat(args));
}

function inOrder(answers: readonly RemoteAnswer[], { addresses }: CsdsSources): RemoteAnswer[] {
  return addresses.flatMap((address) => answers.find((answer) => answer.address === address) ?? []);
}

/** Waits, but not longer than the user wants to. */
async function unlessInterrupted(work: Promise<unknown>, env: CliEnvironment): Promise<'done' | 'interrupted'> {
  let stopListening = (): void => {};
  const interrupted = new Promise<'interrupted'>((resolve) => {
    stopListening = env.onInterrupt(() => resolve('interrupted'));
  });
  try {
    return await Promise.race([work.then(() => 'done' as const), interrupted]);
  } finally {
    stopListening();
  }
}

function checkUse(args: Arguments): void {
  const output = readFormat(args);
  if (args.watch !== true && output === 'ndjson')
    throw new Failure(EXIT.usage, '-o ndjson goes with --watch: it has an event a line');
  if (args.watch === true && output === 'name') throw new Failure(EXIT.usage, '-o name goes without --watch');
  if (args.watch !== true && args.for !== undefined) throw new Failure(EXIT.usage, '--for goes with --watch');
  if (args.interval === 0) throw new Failure(EXIT.usage, '--interval 0s would ask without a break');
  if (args.deadline === 0) throw new Failure(EXIT.usage, '--deadline 0s leaves no time for anything');
  if (args.view === 'check' && args.expectations === undefined)
    throw new Failure(EXIT.usage, '--view check needs --expectations FILE');
  if (args.view !== 'check' && args.expectations !== undefined)
    throw new Failure(EXIT.usage, '--expectations goes with --view check');
  readCall(args);
}

import { cutEnd, displayWidth } from '../../base/display-width.js';
import { changeLine, remoteChanges } from '../../view/remote-changes.js';
import { jsonText } from '../../view/render/json.js';
import { LineRenderer } from '../../view/render/line.js';
import type { ScopeStatus } from '../../view/status.js';
import { stateOf } from '../../view/status.js';
import { timestamp } from '../../view/timestamp.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { CsdsSources, RemoteAnswer } from './csds-source.js';
import { printView, readFormat, statusOf, tellProblems } from './csds-views.js';
import type { Listing } from './listing.js';
import { Screen } from './screen.js';
import { waitFor } from './settling.js';

const FOR_EVER_MS = 2 ** 31 - 1;

/** Asks every process again and again, each at its own pace; what changes is told as it is seen. */
export async function watchSources(
  sources: CsdsSources,
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<ExitCode> {
  const latest = new Map<string, RemoteAnswer>();
  const teller = await makeTeller(latest, listing, args, env);
  let isOver = false;
  const follow = async (address: string): Promise<void> => {
    while (!isOver) {
      const askedAt = env.clock.now();
      const answer = await sources.poll(address);
      if (isOver) return;
      const before = latest.get(address);
      latest.set(address, answer);
      if (before?.problems.join() !== answer.problems.join() || before?.clients.length !== answer.clients.length)
        tellProblems(answer, env);
      await teller.tell(answer);
      await new Promise<void>((wake) => env.clock.wakeAt(askedAt + (args.interval as number), wake));
    }
  };
  for (const address of sources.addresses) void follow(address);
  const limit = (args.for as number | undefined) ?? FOR_EVER_MS;
  const end = await waitFor(
    () => false,
    limit,
    env,
    () => teller.draw(),
  );
  isOver = true;
  teller.close();
  if (end === 'interrupted') return EXIT.interrupted;
  const answers = [...latest.values()];
  const isUnread = answers.length < sources.addresses.length || answers.some(({ problems }) => problems.length > 0);
  if (isUnread) return EXIT.unavailable;
  return isFinding(statusOf(answers, listing), listing) ? EXIT.findings : EXIT.ok;
}

function isFinding(scopes: readonly ScopeStatus[], { failing }: Listing): boolean {
  return scopes.some(({ resources }) => resources.some((one) => failing.has(stateOf(one))));
}

interface Teller {
  tell(answer: RemoteAnswer): Promise<void> | void;
  draw(): void;
  close(): void;
}

/** A picture on a terminal; else a line a change, or the whole document when something has changed. */
async function makeTeller(
  latest: ReadonlyMap<string, RemoteAnswer>,
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): Promise<Teller> {
  const output = readFormat(args);
  const whole = async (): Promise<string> => {
    const parts: string[] = [];
    const stdout = { ...env.stdout, write: (part: string) => void parts.push(part) };
    const stderr = { ...env.stderr, write: () => {} };
    await printView([...latest.values()], listing, args, { ...env, stdout, stderr });
    return parts.join('');
  };
  const isForPeople = ['table', 'wide', 'tree', 'text'].includes(output);
  if (isForPeople && env.stdout.isTerminal && env.variables.TERM !== 'dumb') return pictures(whole, env);
  if (output === 'ndjson' || output === 'table' || output === 'wide') return lines(output, listing, args, env);
  return documents(whole, output, env);
}

/** Drawn when something has changed or the terminal has. */
function pictures(whole: () => Promise<string>, env: CliEnvironment): Teller {
  let text = '';
  const screen = new Screen(env);
  return {
    tell: async () => {
      text = await whole();
    },
    draw: () => {
      const { rows, columns } = env.stdout;
      const lines = text.trimEnd().split('\n');
      const more = lines.length - rows;
      const shown = more <= 0 ? lines : [...lines.slice(0, rows - 1), `… ${more + 1} more lines`];
      screen.draw(shown.map((line) => (displayWidth(line) <= columns ? line : cutEnd(line, columns))));
    },
    close: () => {
      screen.close();
      env.stdout.write(text);
    },
  };
}

function lines(output: string, listing: Listing, args: Arguments, env: CliEnvironment): Teller {
  const renderer = new LineRenderer(useColor(args.color as ColorChoice, env, env.stdout));
  const seen = new Map<string, ScopeStatus[]>();
  return {
    tell: (answer) => {
      // A process that cannot be asked has not lost what it had.
      if (answer.isDead) return;
      const at = env.clock.now();
      const before = seen.get(answer.address) ?? [];
      const after = statusOf([answer], listing);
      seen.set(answer.address, after);
      for (const one of remoteChanges(before, after)) {
        const { scope, address, change, resource } = one;
        const event = { at: timestamp(at), scope, kind: 'resource', address, change, ...resource };
        env.stdout.write(output === 'ndjson' ? jsonText(event, true) : renderer.render(changeLine(one, at)));
      }
    },
    draw: () => {},
    close: () => {},
  };
}

function documents(whole: () => Promise<string>, output: string, env: CliEnvironment): Teller {
  let shown = '';
  return {
    tell: async () => {
      const text = await whole();
      if (text === shown) return;
      env.stdout.write(output === 'yaml' && shown !== '' ? `---\n${text}` : text);
      shown = text;
    },
    draw: () => {},
    close: () => {},
  };
}

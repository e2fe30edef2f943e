import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problems } from '../../../src/base/problem.js';
import { respondToReflection } from '../../../src/csds/reflection/response.js';
import { open } from '../../../src/inspect/inspection.js';
import { remoteTargets } from '../../../src/inspect/remote-answer.js';
import { never } from '../../../src/inspect/until.js';
import { systemClock } from '../../../src/io/system-clock.js';
import { ClientStatusResponse } from '../../../src/proto/generated/envoy.service.status.v3.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseMessage } from '../../../src/proto/json/parse.js';
import { configDocument } from '../../../src/view/config.js';
import type { Documents } from '../../../src/view/documents.js';
import { explanationsOf } from '../../../src/view/explain.js';
import { type FormatName, formatsOf, type Page, render } from '../../../src/view/formats.js';
import { remoteClientStatus } from '../../../src/view/remote-client-status.js';
import { remoteStatusDocument } from '../../../src/view/remote-status.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { type Corpus, readCorpus } from '../../oracle/mutation/corpus.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes, mutate } from '../../oracle/mutation/mutate.js';
import { parseTree, serialize } from '../../oracle/mutation/wire-tree.js';
import { fileTarget } from '../files/file-target.js';
import { checkOutput } from '../outputs.js';
import type { FuzzTarget } from '../target.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/csds');
const ANY_CALL = { isAnyCall: true, call: { path: '/', metadata: [] }, deadlineMs: undefined, rules: 'today' } as const;

/** The recorded CSDS responses of C-core, Go, Java, Node and control planes. */
function recordedResponses(): Buffer[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const json: unknown = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
    const bytes = parseMessage(xdsCatalogue, ClientStatusResponse.typeName, json, new Problems());
    return bytes === undefined ? [] : [Buffer.from(bytes)];
  });
}

/** CSDS responses of other processes, as bytes, in every view; and reflection requests. */
export function csdsTarget(): FuzzTarget {
  let seeds: Buffer[] | undefined;
  let corpus: Corpus | undefined;
  return fileTarget({
    name: 'csds',
    description: 'CSDS responses of other processes in every view and format; reflection requests',
    share: 1,
    extension: '.binpb',
    generate: (dice) => {
      seeds ??= recordedResponses();
      corpus ??= readCorpus();
      return mutatedResponse(dice.pick(seeds), corpus, dice);
    },
    checkOf: (dice) => {
      const view = dice.pick(['status', 'config', 'explain', 'client-status'] as const);
      const format = dice.pick(formatsOf(view));
      return async (_path, bytes) => {
        respondToReflection(bytes);
        await checkResponse(bytes, view, format);
      };
    },
  });
}

function mutatedResponse(seed: Buffer, corpus: Corpus, dice: Dice): Buffer {
  const tree = parseTree(Buffer.from(seed), { message: ClientStatusResponse.typeName });
  if (tree === undefined || dice.chance(0.2)) return brokenBytes(seed, dice);
  for (let changes = 1 + dice.below(6); changes > 0; changes--) mutate(tree, corpus, dice);
  return serialize(tree);
}

type View = 'status' | 'config' | 'explain' | 'client-status';

async function checkResponse(bytes: Uint8Array, view: View, format: string): Promise<void> {
  const answer = async (): Promise<{ bytes: Uint8Array }> => ({ bytes });
  const inspection = await open({
    kind: 'csds',
    clients: new Map([['app:1', { fetch: answer, poll: answer, close: () => {} }]]),
    request: new Uint8Array(),
    as: 'spec',
    defaultAuthority: undefined,
    dnsTimeoutMs: 1000,
    pollEveryMs: undefined,
    plaintext: true,
    hasNodeMatchers: false,
    ports: { clock: systemClock, dns: { resolve: async () => ({ failure: 'no DNS' }) } },
  });
  await inspection.until(never, { limit: 60_000 });
  inspection.close();
  const text = await renderAnswers(inspection.answers(), view, format);
  checkOutput(
    { text, format: view === 'client-status' ? 'json' : format, source: `csds --view ${view} -o ${format}` },
    10 * bytes.length,
  );
}

type Answers = Parameters<typeof remoteStatusDocument>[1];

async function renderAnswers(answers: Answers, view: View, format: string): Promise<string> {
  const page: Page = {
    paint: await paintFor(false),
    isColored: false,
    width: undefined,
    isTerminal: false,
    ageOf: () => 1000,
    showsTimes: false,
    listsAll: true,
  };
  const print = <K extends keyof Documents>(kind: K, document: Documents[K]): Promise<string> =>
    render(kind, format as FormatName<K>, document, page);
  if (view === 'status')
    return await print(
      view,
      remoteStatusDocument('spec', answers, () => true),
    );
  if (view === 'client-status')
    return await print(
      view,
      remoteClientStatus(answers, () => true, false),
    );
  const targets = answers.flatMap(remoteTargets);
  if (view === 'config')
    return await print(view, configDocument({ as: 'spec', targets: targets.flat(), findings: [] }));
  const explanations = targets.flatMap((one) => explanationsOf(one, ANY_CALL));
  return await print(view, { as: 'spec', explanations, findings: [] });
}

import { DEFAULT_PRESET } from '../../bootstrap/preset-names.js';
import { remoteAnswer, remoteTargets } from '../../inspect/remote-answer.js';
import { readResourceSwitches } from '../../resources/context.js';
import type { PageAnswer, PageContent, PageData, PageDump } from '../page-data.js';
import { blobBytes, blobText } from './embedded.js';
import type { PageSession } from './store.js';

/** A session for each client of the processes that were read over CSDS. They have no history. */
export async function csdsSessions({ dump }: PageData): Promise<PageSession[]> {
  if (dump === undefined) return [];
  const all = await Promise.all(dump.answers.map((answer) => sessionsOf(answer, dump)));
  return all.flat();
}

async function sessionsOf(answer: PageAnswer, dump: PageDump): Promise<PageSession[]> {
  const { address, response, problems, resolutions } = answer;
  const { as, now, defaultAuthority } = dump;
  const bytes = response === null ? new Uint8Array() : await blobBytes(response);
  const received = { bytes, resolutions: new Map(resolutions) };
  const remote = remoteAnswer(address, received, {
    as: as ?? undefined,
    now,
    defaultAuthority: defaultAuthority ?? undefined,
  });
  const { clients } = remote;
  const targets = remoteTargets(remote);
  const loadContents = contentsLoader(dump.contents);
  const base = { history: undefined, recording: undefined, loadContents, remarks: problems };
  if (clients.length === 0) return [{ ...base, name: address, fixed: undefined }];
  return clients.map(({ client, validated, snapshot, verdicts }, i) => {
    const { id = '', userAgentName = '', userAgentVersionType } = validated.dump.node ?? {};
    const userAgentVersion = userAgentVersionType?.kind === 'userAgentVersion' ? userAgentVersionType.value : '';
    return {
      ...base,
      name: clients.length === 1 ? address : `${address} ${snapshot.scope}`,
      fixed: {
        ending: 'met',
        ...{ as: as ?? client?.preset ?? DEFAULT_PRESET, origin: address, now, verdicts },
        node: { id, userAgentName, userAgentVersion },
        context: CONTEXT,
        snapshot: [snapshot],
        targets: targets[i] ?? [],
        findings: [],
        errors: [],
        droppedErrors: 0,
        waitedMs: 0,
        hasData: true,
      },
    };
  });
}

/** The environment of another process is unknown. */
const CONTEXT = {
  switches: readResourceSwitches({}, true),
  certificateProviders: undefined,
  allowedGrpcServices: new Set<string>(),
  interfaces: new Map<string, number>(),
};

function contentsLoader(blob: number): PageSession['loadContents'] {
  let unpacked: Promise<PageContent[]> | undefined;
  return () => {
    unpacked ??= blobText(blob).then((text) => JSON.parse(text) as PageContent[]);
    return unpacked;
  };
}

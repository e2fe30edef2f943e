import { DUMP_CONTEXT } from '../../csds/validate-dump.js';
import type { RecordedVersion } from '../../inspect/recorded-versions.js';
import { type AnswerOptions, type RemoteAnswer, validateStatus } from '../../inspect/remote-answer.js';
import { xdsRedactor } from '../../resources/xds-redactor.js';
import type { PageAnswer, PageDump } from '../../view/page-data.js';
import type { PageBlobs } from './page-blobs.js';

/** Processes that were read over CSDS, and how. */
export interface ReadProcesses extends AnswerOptions {
  answers: readonly RemoteAnswer[];
}

/** Adds the responses of processes to a page, without secrets unless `showSecrets` is set. */
export async function addDump(
  { as, defaultAuthority, now, answers }: ReadProcesses,
  showSecrets: boolean,
  blobs: PageBlobs,
): Promise<PageDump> {
  const redactor = showSecrets ? undefined : xdsRedactor();
  const redact = (bytes: Uint8Array): Uint8Array =>
    redactor === undefined ? bytes : redactor.redact('envoy.service.status.v3.ClientStatusResponse', bytes);
  const responses: Uint8Array[] = [];
  const pageAnswers: PageAnswer[] = [];
  for (const { address, problems, received } of answers) {
    const bytes = received && redact(received.bytes);
    if (bytes !== undefined) responses.push(bytes);
    const response = bytes === undefined ? null : await blobs.addBytes(bytes);
    pageAnswers.push({ address, response, problems, resolutions: [...(received?.resolutions ?? [])] });
  }
  const contents = await blobs.addContents({ context: DUMP_CONTEXT, showSecrets }, (onVersion) => {
    for (const bytes of responses) {
      for (const { dump } of validateStatus(bytes, as).clients) for (const one of versionsIn(dump)) onVersion(one);
    }
  });
  return { as: as ?? null, defaultAuthority: defaultAuthority ?? null, now, answers: pageAnswers, contents };
}

type Dump = ReturnType<typeof validateStatus>['clients'][number]['dump'];

function versionsIn({ resources }: Dump): RecordedVersion[] {
  return resources.flatMap(({ typeUrl, contents, error }) => [
    ...(contents === undefined ? [] : [{ typeUrl, bytes: contents, isRejected: false }]),
    ...(error?.failed === undefined ? [] : [{ typeUrl, bytes: error.failed.value, isRejected: true }]),
  ]);
}

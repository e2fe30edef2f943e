import { toBase64 } from '../../src/base/base64.js';
import { bytesOfCase, type RecordedCase } from '../../tools/oracle/recorded-case.js';
import { edit, renumber } from './wire-edit.js';

const FILTER_CHAINS = 3;
const DEFAULT_FILTER_CHAIN = 25;
/** filters, typed_config, value, rds, config_source. */
const CONFIG_SOURCE = [3, 4, 2, 3, 1];
const SELF = 5;
const ADS = 3;

/** Replaces `self` by `ads` in the rds.config_source of a server listener, because grpc-go rejects `self` there. */
export function withAds(recordedCase: RecordedCase): RecordedCase {
  const response = recordedCase.response.map((sent) => ({
    ...sent,
    bytes: toBase64(
      [FILTER_CHAINS, DEFAULT_FILTER_CHAIN].reduce(
        (bytes, chain) => edit(bytes, [chain, ...CONFIG_SOURCE], renumber(SELF, ADS)),
        bytesOfCase(sent.bytes),
      ),
    ),
  }));
  return { ...recordedCase, id: `${recordedCase.id} with ads`, response };
}

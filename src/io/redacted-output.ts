import { redactText } from '../base/secret-name.js';
import type { CliEnvironment } from './environment.js';
import type { Output } from './output.js';

/**
 * An environment whose outputs redact the secrets of texts: those in URIs, and private keys. Every command and format
 * writes to it, including messages that quote a file. Secrets of resources and headers are redacted where they are read.
 */
export function withoutSecrets(env: CliEnvironment): CliEnvironment {
  const { stdout, stderr, documents } = env;
  return {
    ...env,
    stdout: redacted(stdout),
    stderr: redacted(stderr),
    ...(documents && { documents: redacted(documents) }),
  };
}

function redacted(output: Output): Output {
  return {
    write: (text) => output.write(redactText(text)),
    offer: (line, gap) => output.offer(() => redactText(line()), gap),
    ready: () => output.ready(),
    isTerminal: output.isTerminal,
    unredacted: output,
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
  };
}

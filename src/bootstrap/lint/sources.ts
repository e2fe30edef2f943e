import type { BootstrapCode } from './catalogue.js';
import { finding, type LintFinding, type LintRule } from './finding.js';

/** XI010, XI011: problems with the environment variables that select the bootstrap. */
export const sources: LintRule = ({ variables }) => {
  const { GRPC_XDS_BOOTSTRAP: path, GRPC_XDS_BOOTSTRAP_CONFIG: config } = variables;
  const found: LintFinding[] = [];
  const warn = (code: BootstrapCode, message: string): void => void found.push(finding(code, [], message));
  if (path !== undefined && config !== undefined)
    warn('XI010', 'GRPC_XDS_BOOTSTRAP and GRPC_XDS_BOOTSTRAP_CONFIG are both set: gRPC reads only the first');
  if (path !== undefined && /^\s*[{[]/.test(path))
    warn(
      'XI011',
      'GRPC_XDS_BOOTSTRAP contains JSON but requires a file name; use GRPC_XDS_BOOTSTRAP_CONFIG for JSON text',
    );
  if (config !== undefined && /^[./~]/.test(config.trim()))
    warn(
      'XI011',
      'GRPC_XDS_BOOTSTRAP_CONFIG contains a path but requires JSON text; use GRPC_XDS_BOOTSTRAP for a file name',
    );
  return found;
};

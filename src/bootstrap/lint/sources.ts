import type { BootstrapCode } from './catalogue.js';
import { finding, type LintFinding, type LintRule } from './finding.js';

/** XI010, XI011: what the environment says about where the bootstrap comes from. */
export const sources: LintRule = ({ variables }) => {
  const { GRPC_XDS_BOOTSTRAP: path, GRPC_XDS_BOOTSTRAP_CONFIG: config } = variables;
  const found: LintFinding[] = [];
  const warn = (code: BootstrapCode, message: string): void => void found.push(finding(code, [], message));
  if (path !== undefined && config !== undefined)
    warn('XI010', 'GRPC_XDS_BOOTSTRAP and GRPC_XDS_BOOTSTRAP_CONFIG are both set: gRPC reads only the first');
  if (path !== undefined && /^\s*[{[]/.test(path))
    warn(
      'XI011',
      'GRPC_XDS_BOOTSTRAP holds JSON: it names a file; the text itself goes into GRPC_XDS_BOOTSTRAP_CONFIG',
    );
  if (config !== undefined && /^[./~]/.test(config.trim()))
    warn('XI011', 'GRPC_XDS_BOOTSTRAP_CONFIG holds a path: it is the JSON text; a file goes into GRPC_XDS_BOOTSTRAP');
  return found;
};

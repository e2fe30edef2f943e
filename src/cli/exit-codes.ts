export { EXIT, type ExitCode } from '../base/exit-codes.js';

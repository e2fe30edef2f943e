import { conformance } from './command.ts';

process.exitCode = await conformance(process.argv.slice(2), console.log, console.error);

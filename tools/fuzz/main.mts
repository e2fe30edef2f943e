import { fuzz } from './command.ts';

process.exitCode = await fuzz(process.argv.slice(2), console.log, console.error);

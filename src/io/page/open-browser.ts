import { spawn } from 'node:child_process';

/** The program that opens an address in the browser of the user. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in a browser. `onFailure` gets the reason if that is not possible. */
export function openBrowser(
  address: string,
  variables: Record<string, string | undefined>,
  onFailure: (why: string) => void,
): void {
  const [program = 'xdg-open', ...flags] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...flags, address], { env: variables, detached: true, stdio: 'ignore' });
  opener.on('error', ({ message }) => onFailure(message));
  opener.on('exit', (code) => {
    if (code !== null && code !== 0) onFailure(`${program} failed with exit code ${code}`);
  });
  // The browser may outlive this process.
  opener.unref();
}

import { redactText } from '../../base/secret-name.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import type { ClientSetup, Recorder } from '../../inspect/source.js';
import { loadPageAssets } from '../../io/page/assets.js';
import type { ContentFormat } from '../../io/page/live-contents.js';
import type { Served } from '../../io/page/live-responses.js';
import { LiveServer } from '../../io/page/live-server.js';
import { LiveSession } from '../../io/page/live-session.js';
import { openBrowser } from '../../io/page/open-browser.js';
import { headerOf } from '../../io/recorder.js';
import { PageContents } from '../../view/page-contents.js';
import { contentKey, type PageData } from '../../view/page-data.js';
import { pageParts, policy } from '../../view/render/page-html.js';
import type { Printer } from '../printer.js';

/** The flags that a live page depends on. */
export interface UiInput {
  targets: readonly string[];
  showSecrets: boolean;
  suppress?: ReadonlySet<string>;
  type?: readonly string[] | undefined;
  name?: string | undefined;
  status?: readonly string[] | undefined;
}

/** `--ui`: a page that follows the session of a command. */
export class LiveUi {
  readonly #input: UiInput;
  readonly #out: Printer;
  readonly #server: LiveServer;
  readonly #opens: boolean;

  /** Throws a BindFailure if the port is not available. */
  static async start(input: UiInput, port: number, opens: boolean, out: Printer): Promise<LiveUi> {
    return new LiveUi(input, opens, await LiveServer.start(port, out.env.clock), out);
  }

  private constructor(input: UiInput, opens: boolean, server: LiveServer, out: Printer) {
    this.#input = input;
    this.#opens = opens;
    this.#server = server;
    this.#out = out;
  }

  get link(): string {
    return this.#server.link;
  }

  /** Shows the session of a client, and prints the link. */
  async record(name: string, client: ClientSetup, tearGrace: number | undefined): Promise<Recorder> {
    const { showSecrets, suppress = new Set<string>() } = this.#input;
    const { env } = this.#out;
    const header = headerOf(client, { showSecrets, tearGrace }, env);
    const session = await LiveSession.start({
      header,
      suppress,
      format: contentFormat(showSecrets),
      onStep: this.#server.onStep,
    });
    this.#server.serve({ session, ...this.#page(name, header) });
    this.#printLink();
    if (this.#opens)
      openBrowser(this.link, env.variables, (why) =>
        this.#out.fail(`--open: no browser could be started (${why}): open the link yourself`),
      );
    return session.recorder;
  }

  async close(reason: string): Promise<void> {
    await this.#server.close(reason);
  }

  #printLink(): void {
    const { port, link } = this.#server;
    this.#out.printWhole(`Page: ${link}`);
    // The third word is the address of this machine that the user has connected to.
    const [, , host] = this.#out.env.variables.SSH_CONNECTION?.split(' ') ?? [];
    if (host !== undefined)
      this.#out.printWhole(`On your own machine, first run: ssh -L ${port}:127.0.0.1:${port} ${host}`);
  }

  #page(title: string, { secrets }: RecordingHeader): Pick<Served, 'html' | 'policy'> {
    const { suppress, type, name, status } = this.#input;
    const { env } = this.#out;
    const data: PageData = {
      schema: 'xds-inspect/page/v1',
      version: env.version,
      mode: 'live',
      title,
      program: env.program,
      suppress: [...(suppress ?? [])],
      filter: { type: type ?? null, name: name ?? null, status: status ?? null },
      initial: {},
      clients: [],
    };
    const { style, loader, page, re2 } = loadPageAssets(env);
    // Later resources may have regular expressions.
    const scripts = [re2, page];
    const shown = secrets === 'kept' ? data : JSON.parse(redactText(JSON.stringify(data)));
    const html = [...pageParts({ data: shown, style, loader, scripts, blobs: [] })].join('');
    return { html: Buffer.from(html), policy: policy(style, [loader, ...scripts], 'live') };
  }
}

function contentFormat(showSecrets: boolean): ContentFormat {
  return {
    keyOf: contentKey,
    print: (version, context) => JSON.stringify(new PageContents({ context, showSecrets }).add(version)),
  };
}

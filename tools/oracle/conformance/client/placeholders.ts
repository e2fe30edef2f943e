/** Recordings contain `{port:primary}` and `{pad:1000}` instead of ports of servers and long texts. */
export class Placeholders {
  readonly #ports = new Map<string, number>();
  readonly #newPort: () => number;

  /** Assigns a port to a server when its name is first used. */
  constructor(newPort: () => number) {
    this.#newPort = newPort;
  }

  portOf(server: string): number {
    const port = this.#ports.get(server) ?? this.#newPort();
    this.#ports.set(server, port);
    return port;
  }

  fill(text: string): string {
    return text
      .replace(/\{port:(\w+)\}/g, (_all, name: string) => String(this.portOf(name)))
      .replace(/\{pad:(\d+)\}/g, (_all, count: string) => 'x'.repeat(Number(count)));
  }

  unfill(text: string): string {
    return [...this.#ports]
      .reduce((result, [name, port]) => result.replaceAll(String(port), `{port:${name}}`), text)
      .replace(/x{1000,}/g, (pad) => `{pad:${pad.length}}`);
  }

  /** The environment variables of a scenario's client, including its bootstrap. */
  variablesOf(scenario: {
    a88: boolean;
    bootstrap: unknown;
    environment?: Record<string, string | null>;
  }): Record<string, string | undefined> {
    const variables: Record<string, string | undefined> = {
      GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: String(scenario.a88),
      GRPC_XDS_BOOTSTRAP_CONFIG: this.fill(JSON.stringify(scenario.bootstrap)),
    };
    for (const [name, value] of Object.entries(scenario.environment ?? {})) {
      variables[name] = value === null ? undefined : this.fill(value);
    }
    return variables;
  }
}

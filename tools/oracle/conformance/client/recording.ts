/** The recorded format of client scenarios. */
export interface ClientRecording {
  /** The program whose behaviour was recorded. */
  recordedFrom?: string;
  backends: Record<string, number>;
  resources: Record<string, { typeUrl: string; base64: string }>;
  scenarios: ClientScenario[];
}

export interface ClientScenario {
  id: string;
  a88: boolean;
  environment?: Record<string, string | null>;
  bootstrap: unknown;
  servers: Record<string, { listening?: boolean }>;
  decision?: string;
  steps: Step[];
  expected: {
    answers: ExpectedAnswer[];
    subscriptions: { step: number; streams: Record<string, Record<string, string[]>> }[];
    csds: { label: string; step: number; clients: unknown[] }[];
    rpcs: {
      label: string;
      step: number;
      seconds?: number;
      code: string;
      message?: string | undefined;
      backend?: string | undefined;
      limit?: string | undefined;
    }[];
    /** Steps that did not get what they waited for, because the scripts were written for C-core. */
    unmet?: { step: number; what: string }[];
  };
  varied?: string[];
}

interface ExpectedAnswer {
  step: number;
  nonce: string;
  answer: 'ACK' | 'NACK' | 'none';
  version?: string;
  error?: { code: number; message: string };
}

/** One step of the script; `op` determines which fields apply. */
export interface Step {
  op: string;
  server?: string;
  stream?: number;
  target?: string;
  channel?: string;
  options?: [string, unknown] | [string, unknown][];
  type?: string;
  names?: string[];
  nonce?: string;
  version?: string;
  absent?: boolean;
  timeout?: number;
  seconds?: number;
  settle?: number;
  label?: string;
  resources?: string[];
  errors?: { name: string | null; code: string | number | null; message?: string }[];
  padBytes?: number;
  base64?: string;
  code?: string | number;
  message?: string;
  mode?: 'http1' | 'close' | 'silent';
  address?: string;
  method?: string;
  metadata?: [string, string][];
  background?: boolean;
  waitForReady?: boolean;
}

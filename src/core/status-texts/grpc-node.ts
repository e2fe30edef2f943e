import { C_CORE_TEXTS } from './c-core.js';
import type { StatusTexts } from './status-texts.js';

export const GRPC_NODE_TEXTS: StatusTexts = { ...C_CORE_TEXTS };

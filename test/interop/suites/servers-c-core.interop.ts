import { serversOnServe } from '../support/servers-on-serve.js';

serversOnServe('c-core-app', 'unsupported filter type');

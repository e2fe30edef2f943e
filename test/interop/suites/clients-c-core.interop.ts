import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('c-core-app', { nackMessage: '[field:type error:unknown discovery type]' });

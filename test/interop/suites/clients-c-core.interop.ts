import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('c-core-app', { refusal: '[field:type error:unknown discovery type]' });
